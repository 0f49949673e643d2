#!/usr/bin/env node
/**
 * Writes packages/sim/src/apiserver/kinds/facts: the built-in kinds of Kubernetes for the embedded API
 * server. Names, verbs and list types come from the discovery and OpenAPI documents of a real control plane;
 * the order of fields and what JSON omits come from the Go types of the same release. A cluster test compares
 * the result with the files in the repository.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare, root } from './prepare.mjs';

const folder = 'packages/sim/src/apiserver/kinds/facts';
const servedGroupVersions = [
  '/v1',
  'apiregistration.k8s.io/v1',
  'apps/v1',
  'events.k8s.io/v1',
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
  'autoscaling/v2',
  'batch/v1',
  'networking.k8s.io/v1',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'storage.k8s.io/v1',
  'admissionregistration.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'coordination.k8s.io/v1',
  'node.k8s.io/v1',
  'discovery.k8s.io/v1',
  'resource.k8s.io/v1',
];
const leftOut = new Set(['componentstatuses', 'ipaddresses', 'servicecidrs']);
/** Not resources, but bodies of requests or replies. */
const bodies = [
  'meta.k8s.io/v1/DeleteOptions',
  'policy/v1/Eviction',
  'autoscaling/v1/Scale',
  'authentication.k8s.io/v1/TokenRequest',
];

/**
 * @returns {Promise<{ path: string, text: string }[]>} the files, from a running control plane and the Go
 * types
 */
export async function kubernetesFacts(plane, goTypes = readGoTypes()) {
  const resources = await servedResources(plane);
  const schemas = await openApiSchemas(plane);
  const kinds = [...resources.map(({ gvk }) => gvk), ...bodies];
  const wanted = reachable(
    kinds.map((kind) => goTypes.kinds[kind.replace(/^\//, '').replace('meta.k8s.io/', '')] ?? fail(kind)),
    goTypes,
  );
  return [kindsFile(resources, goTypes), ...definitionFiles(wanted, goTypes, schemas)];
}

function fail(kind) {
  throw new Error(`the Go types of Kubernetes have no kind ${kind}`);
}

/** Builds and runs test/cluster/kube/go-types; needs Go, like the control plane. */
export function readGoTypes() {
  const text = execFileSync('go', ['run', '-trimpath', './go-types'], {
    cwd: join(root, 'test/cluster/kube'),
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  return JSON.parse(text);
}

async function get(plane, path, headers) {
  const { status, body } = await plane.request('GET', path, undefined, headers);
  if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
  return typeof body === 'string' ? JSON.parse(body) : body;
}

async function servedResources(plane) {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const groups = [
    ...(await get(plane, '/api', { accept })).items,
    ...(await get(plane, '/apis', { accept })).items,
  ];
  return groups.flatMap(({ metadata: { name = '' }, versions }) =>
    versions.flatMap(({ version, resources }) => resourcesOf(`${name}/${version}`, resources)),
  );
}

function resourcesOf(groupVersion, resources) {
  if (!servedGroupVersions.includes(groupVersion)) return [];
  return resources
    .filter(({ resource }) => !leftOut.has(resource))
    .map((resource) => ({ ...resource, groupVersion, gvk: `${groupVersion}/${resource.responseKind.kind}` }));
}

async function openApiSchemas(plane) {
  const { paths } = await get(plane, '/openapi/v3');
  const schemas = {};
  for (const groupVersion of servedGroupVersions) {
    const path = groupVersion === '/v1' ? 'api/v1' : `apis/${groupVersion}`;
    Object.assign(schemas, (await get(plane, paths[path].serverRelativeURL)).components.schemas);
  }
  return schemas;
}

/** The transitive closure of named Go types. */
function reachable(start, { types }) {
  const found = new Set();
  const visit = (type) => {
    for (const name of type.match(/[\w./-]+\.\w+/g) ?? []) {
      if (found.has(name) || types[name] === undefined) continue;
      found.add(name);
      const { fields = [], underlying = '' } = types[name];
      for (const field of fields) visit(field.type);
      visit(underlying);
    }
  };
  for (const type of start) visit(type);
  return [...found].filter((name) => !name.endsWith('meta/v1.TypeMeta')).sort();
}

/** Packages without a version hold one or two types each; they share a file. */
const homeOf = (name) => {
  const short = shortPackage(splitName(name).path);
  return short.includes('.') ? short : 'machinery';
};

/** k8s.io/api/core/v1 is `core.v1`, k8s.io/apimachinery/pkg/api/resource is `resource`. */
function shortPackage(path) {
  const parts = path.split('/');
  return /^v\d/.test(parts.at(-1)) ? parts.slice(-2).join('.') : parts.at(-1);
}

function splitName(name) {
  const dot = name.lastIndexOf('.');
  return { path: name.slice(0, dot), name: name.slice(dot + 1) };
}

const shortType = (type, home) =>
  type.replace(/[\w./-]+\.\w+/g, (full) => {
    const { path, name } = splitName(full);
    const short = shortPackage(path);
    return short === home ? name : `${short}.${name}`;
  });

function kindsFile(resources, { kinds }) {
  const lines = resources.map((resource) => {
    const {
      groupVersion,
      gvk,
      singularResource,
      scope,
      shortNames = [],
      categories = [],
      verbs,
      subresources = [],
    } = resource;
    return [
      groupVersion,
      resource.resource,
      singularResource,
      resource.responseKind.kind,
      shortType(kinds[gvk.replace(/^\//, '')], ''),
      scope,
      shortNames.join() || '-',
      categories.join() || '-',
      verbs.join(),
      ...subresources.map(({ subresource, responseKind: { group, version, kind }, verbs }) =>
        [
          subresource,
          group === '' && version === '' ? kind : `${group}/${version}/${kind}`,
          verbs.join(),
        ].join('='),
      ),
    ].join(' ');
  });
  return factsFile('kinds', 'resourceFacts', lines);
}

function definitionFiles(names, goTypes, schemas) {
  const homes = [...new Set(names.map(homeOf))].sort();
  const files = homes.map((home) => {
    const lines = names
      .filter((name) => homeOf(name) === home)
      .map((name) => definitionLine(name, goTypes, home, schemas));
    return { home, file: factsFile(home.replaceAll('.', '-'), constantName(home), lines) };
  });
  const index = files
    .map(({ home }) => `import { ${constantName(home)} } from './${home.replaceAll('.', '-')}.ts';\n`)
    .join('');
  const entries = files
    .map(({ home }) => `  ${/\W/.test(home) ? `'${home}'` : home}: ${constantName(home)},\n`)
    .join('');
  const text = `${header}${index}\n/** By package, one definition a line. */\nexport const definitionFacts: Readonly<Record<string, string>> = {\n${entries}};\n`;
  return [...files.map(({ file }) => file), { path: `${folder}/definitions.ts`, text }];
}

const constantName = (home) => `${home.replace(/[.-](\w)/g, (_, letter) => letter.toUpperCase())}Facts`;

const header =
  '// Generated by `npm run kubernetes-facts` from Kubernetes itself; docs are in ../definition.ts.\n';

function factsFile(name, constant, lines) {
  const text = `${header}export const ${constant} = \`\n${lines.join('\n')}\n\`;\n`;
  return { path: `${folder}/${name}.ts`, text };
}

function definitionLine(full, goTypes, home, schemas) {
  const { fields, underlying, opaque } = goTypes.types[full];
  const { path, name } = splitName(full);
  const schema = schemas[openApiName(path, name)];
  const mapType = schema?.['x-kubernetes-map-type'];
  const opening = [shortType(full, home), ...(mapType ? [mapType] : [])].join(' ');
  if (opaque) return `${opening} opaque`;
  if (underlying !== undefined) return `${opening} = ${shortType(underlying, home)}`;
  const list = flatten(fields, goTypes).map((field) => fieldText(field, home, schema));
  return `${opening} { ${list.join('; ')} }`;
}

const openApiName = (path, name) => {
  const [host, ...rest] = path.split('/');
  return [...host.split('.').reverse(), ...rest, name].join('.');
};

/** A field of an embedded struct includes its name, as `VolumeSource.hostPath`, because error messages do. */
function flatten(fields, goTypes, prefix = '') {
  return (fields ?? []).flatMap((field) => {
    const { name } = splitName(field.type);
    if (!field.inline) return [{ ...field, path: prefix + field.name }];
    return flatten(goTypes.types[field.type].fields, goTypes, name === 'TypeMeta' ? '' : `${prefix}${name}.`);
  });
}

function fieldText({ name, path, type, omitEmpty, omitZero }, home, schema) {
  const property = schema?.properties?.[name];
  const required = schema?.required?.includes(name) ? ['required'] : [];
  const omission = omitZero ? ['omitzero'] : omitEmpty ? [] : ['kept'];
  return [
    path,
    shortType(type, home),
    ...omission,
    ...required,
    ...(property ? fieldMarks(property, !omitEmpty && !type.startsWith('*')) : []),
  ].join(' ');
}

function fieldMarks(property, alwaysThere) {
  const { enum: values, default: initial } = property;
  const each = (property.items ?? property.additionalProperties)?.enum;
  const keys = property['x-kubernetes-list-map-keys'];
  const listType = property['x-kubernetes-list-type'] ?? property['x-kubernetes-map-type'];
  const mergeKey = property['x-kubernetes-patch-merge-key'];
  const strategy = property['x-kubernetes-patch-strategy'];
  // A field that is always present needs no zero default.
  const saysMore = !alwaysThere || ![0, '', false].includes(initial);
  const isPlain = initial !== undefined && typeof initial !== 'object' && saysMore;
  return [
    ...(listType ? [keys ? `${listType}=${keys.join()}` : listType] : []),
    ...(mergeKey ? [`key=${mergeKey}`] : []),
    ...(strategy ? [`patch=${strategy}`] : []),
    ...(values ? [`enum=${values.join('|')}`] : []),
    ...(each ? [`each=${each.join('|')}`] : []),
    ...(isPlain ? [`default=${initial}`] : []),
  ];
}

/**
 * With a connection on standard input, compares with that control plane; otherwise starts one and writes the
 * files.
 */
async function main([flag]) {
  prepare({ projects: ['packages/testkit'] });
  const { connectControlPlane, startControlPlane } = await import(
    '../packages/testkit/dist/control-plane/index.js'
  );
  if (flag === '--check') {
    const files = await kubernetesFacts(connectControlPlane(JSON.parse(readFileSync(0, 'utf8'))));
    const stale = staleFiles(files);
    for (const path of stale) console.log(path);
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  const plane = await startControlPlane({ components: [] });
  try {
    writeFiles(await kubernetesFacts(plane));
  } finally {
    await plane.stop();
  }
}

function staleFiles(files) {
  const wanted = new Map(files.map(({ path, text }) => [path, text]));
  const present = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  return [...new Set([...wanted.keys(), ...present])].filter(
    (path) => !present.includes(path) || readFileSync(join(root, path), 'utf8') !== wanted.get(path),
  );
}

function writeFiles(files) {
  mkdirSync(join(root, folder), { recursive: true });
  for (const name of readdirSync(join(root, folder))) rmSync(join(root, folder, name));
  for (const { path, text } of files) {
    writeFileSync(join(root, path), text);
    console.log(path);
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await main(process.argv.slice(2));
}

// Checks what is in the root file system of the image, by its files alone.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { root as checkout } from '../prepare.mjs';
import { readElf } from './elf.mjs';

/** Everything else is a mistake: a shell, node_modules, sources, source maps, a package manager. */
const expected = [
  /^usr\/local\/bin\/node$/,
  /^(usr\/)?lib(64)?\/([^/]+\/)?[^/]+\.so(\.\d+)*$/,
  /^app\/controller\.mjs$/,
  /^app\/(node-termination-handler\/)?chunks\/[^/]+\.mjs$/,
  /^app\/node-termination-handler\/(node-termination-handler\.mjs|THIRD-PARTY-LICENSES)$/,
  /^app\/page\/.*(?<!\.map)$/,
  /^app\/(LICENSE|THIRD-PARTY-LICENSES|build-info\.json|sbom\.cdx\.json)$/,
  /^usr\/share\/doc\/[^/]+\/(LICENSE|copyright)$/,
  /^etc\/(passwd|group)$/,
];

const required = [
  'usr/local/bin/node',
  'app/controller.mjs',
  'app/node-termination-handler/node-termination-handler.mjs',
  'app/LICENSE',
  'app/THIRD-PARTY-LICENSES',
  'app/build-info.json',
  'app/sbom.cdx.json',
  'usr/share/doc/node/LICENSE',
  'etc/passwd',
];

/** Functions of the simulator, which the bundler does not rename; a test finds them in the bundle that has it. */
const simulatorMarkers = ['startApiServer', 'startEmbeddedCluster', 'installDefinitions'];

/**
 * @param {string} directory the root file system
 * @returns {string[]} what is wrong with it, a sentence each
 */
export function problemsOf(directory) {
  const files = filesIn(directory);
  const missing = required.filter((path) => !files.includes(path));
  if (missing.length > 0) return missing.map((path) => `/${path} is missing`);
  return [
    ...files.flatMap((path) => fileProblems(directory, path)),
    ...libraryProblems(directory, files),
    ...materialProblems(directory, files),
    ...buildProblems(directory),
  ];
}

export function filesIn(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .sort();
}

function fileProblems(directory, path) {
  const found = lstatSync(join(directory, path));
  if (!expected.some((pattern) => pattern.test(path))) return [`/${path} does not belong in the image`];
  if (!found.isFile()) return [`/${path} is not a regular file`];
  if ((found.mode & 0o7022) !== 0) return [`/${path} can be changed by others or runs as another user`];
  return path.startsWith('app/') ? textProblems(path, readFileSync(join(directory, path), 'utf8')) : [];
}

function textProblems(path, text) {
  const simulator = simulatorMarkers.filter((marker) => path.endsWith('.mjs') && text.includes(marker));
  const machine = [checkout, homedir()].filter((each) => each.length > 1 && text.includes(`${each}/`));
  return [
    ...simulator.map((marker) => `/${path} has code of the simulator (${marker})`),
    ...machine.map((each) => `/${path} names ${each}, a path of the machine that built it`),
  ];
}

function libraryProblems(directory, files) {
  const programs = files.filter((path) => /^(usr\/)?lib|^usr\/local\/bin/.test(path));
  const { architecture } = readElf(join(directory, 'usr/local/bin/node'));
  return programs.flatMap((path) => {
    const elf = readElf(join(directory, path));
    const absent = elf.needed.filter((name) => !files.some((file) => file.endsWith(`/${name}`)));
    return [
      ...(elf.architecture === architecture
        ? []
        : [`/${path} is for ${elf.architecture}, not ${architecture}`]),
      ...absent.map((name) => `/${path} needs ${name}, which is missing`),
    ];
  });
}

function materialProblems(directory, files) {
  const { components } = JSON.parse(readFileSync(join(directory, 'app/sbom.cdx.json'), 'utf8'));
  const licences = files
    .filter((path) => /^app\/(page\/|node-termination-handler\/)?THIRD-PARTY-LICENSES/.test(path))
    .map((path) => readFileSync(join(directory, path), 'utf8'))
    .join('\n');
  const npm = components.filter(({ purl }) => purl.startsWith('pkg:npm/'));
  return [
    ...unlicensed(npm, licences),
    ...components
      .filter(({ purl, name }) => purl.startsWith('pkg:deb/') && !hasCopyright(files, name))
      .map(({ name }) => `the licence of the library package ${name} is missing`),
    ...npm.filter(isForDevelopment).map(({ name }) => `${name} is a dependency of development only`),
  ];
}

const titleOf = ({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name}@${version}`;

function unlicensed(components, licences) {
  const listed = new Set([...licences.matchAll(/^={80}\n(\S+)$/gm)].map(([, title]) => title));
  const titles = new Set(components.map(titleOf));
  return [
    ...[...titles].filter((title) => !listed.has(title)).map((title) => `the licence of ${title} is missing`),
    ...[...listed].filter((title) => !titles.has(title)).map((title) => `the SBOM does not list ${title}`),
  ];
}

const hasCopyright = (files, name) => files.includes(`usr/share/doc/${name}/copyright`);

/** The bundler counts, because it adds a few lines of its own to every bundle. */
function isForDevelopment(component) {
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'));
  const title = titleOf(component);
  const entries = Object.entries(packages).filter(
    ([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}` === title,
  );
  return component.name !== 'rolldown' && entries.every(([, { dev }]) => dev === true);
}

function buildProblems(directory) {
  const built = JSON.parse(readFileSync(join(directory, 'app/build-info.json'), 'utf8'));
  return ['version', 'commit', 'nodeVersion', 'architecture']
    .filter((field) => !built[field])
    .map((field) => `/app/build-info.json does not say the ${field}; pass --commit outside of a repository`);
}

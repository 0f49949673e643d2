import { posix } from 'node:path';
import { type Layer, layers, purePackages } from './layers.ts';
import { importsOf, isTest, packageOf, type SourceFile, withoutComments } from './source-file.ts';

/** The fields of package.json that the rules read. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

export type Manifests = Readonly<Record<string, Manifest>>;

const scope = '@karpenter/';
const longestFile = 600;

/** Every import of another package names a declared dependency and one of its entry points. */
export function undeclaredImports(files: readonly SourceFile[], manifests: Manifests): readonly string[] {
  return externalImports(productFiles(files)).flatMap(({ file, specifier, owner }) => {
    const name = dependencyName(specifier);
    const declared = manifests[owner]?.dependencies ?? {};
    if (!(name in declared)) return [`${file.path}: ${name} is not among the dependencies of ${owner}`];
    return isEntryPoint(specifier, manifests) ? [] : [`${file.path}: ${specifier} is not an entry point`];
  });
}

/** Imports follow the layers: which packages a package may import, and from which only types. */
export function layerBreaks(files: readonly SourceFile[]): readonly string[] {
  return externalImports(productFiles(files)).flatMap(({ file, specifier, owner, typeOnly }) => {
    if (!specifier.startsWith(scope)) return [];
    const [target = '', part = ''] = specifier.slice(scope.length).split('/');
    const layer = layers[owner];
    if (layer === undefined) return [`${file.path}: package ${owner} has no layer`];
    return mayImport(layer, target, part, typeOnly)
      ? []
      : [`${file.path}: ${owner} must not import ${specifier}`];
  });
}

/** The layer table and the manifests agree, so neither can drift. */
export function undeclaredLayers(manifests: Manifests): readonly string[] {
  const names = new Set([...Object.keys(manifests), ...Object.keys(layers)]);
  return [...names].flatMap((name) => {
    if (!(name in layers)) return [`${name} has no layer`];
    if (!(name in manifests)) return [`${name} has a layer but no package`];
    const allowed = [...(layers[name]?.mayImport ?? []), ...(layers[name]?.typesOf ?? [])];
    return Object.keys(manifests[name]?.dependencies ?? {})
      .filter((dependency) => dependency.startsWith(scope))
      .filter((dependency) => !allowed.includes(dependency.slice(scope.length)))
      .map((dependency) => `${name} must not depend on ${dependency}`);
  });
}

/** A relative import stays inside the `src` of its package and reaches another folder through its index. */
export function escapes(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap((file) => {
    const source = /^packages\/[^/]+\/src\//.exec(file.path)?.[0];
    if (source === undefined) return [];
    return relativeTargets(file, false)
      .filter((target) => !target.startsWith(source))
      .map((target) => `${file.path}: reaches out to ${target}`);
  });
}

/** Another folder with an index is imported through that index: what it does not list is private to the folder. */
export function importsPastAnIndex(files: readonly SourceFile[]): readonly string[] {
  const folders = new Set(
    files.filter(({ path }) => path.endsWith('/index.ts')).map(({ path }) => posix.dirname(path)),
  );
  return files.flatMap((file) =>
    relativeTargets(file, false).flatMap((target) => {
      const passed = foldersEntered(file.path, target).find((folder) => folders.has(folder));
      return passed === undefined || target === `${passed}/index.ts`
        ? []
        : [`${file.path}: imports ${target} past ${passed}/index.ts`];
    }),
  );
}

/** The folders that an import enters on its way to the target, the outermost first. */
function foldersEntered(importer: string, target: string): readonly string[] {
  const parts = posix.dirname(target).split('/');
  return parts
    .map((_, index) => parts.slice(0, index + 1).join('/'))
    .filter((folder) => !importer.startsWith(`${folder}/`));
}

/** Names of exported types that more than one file declares: a reader who searches for one finds two meanings. */
export function repeatedTypeNames(files: readonly SourceFile[]): readonly string[] {
  const declared = new Map<string, string[]>();
  for (const { path, text } of productFiles(files))
    for (const [, name = ''] of withoutComments(text).matchAll(exportedType))
      declared.set(name, [...(declared.get(name) ?? []), path]);
  return [...declared]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name} is declared in ${paths.join(' and ')}`);
}

const exportedType = /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm;

/** Pure packages use no clock, no randomness and nothing of the host. */
export function impurities(files: readonly SourceFile[]): readonly string[] {
  const impure =
    /\b(?:Date|performance|setTimeout|setInterval|setImmediate|queueMicrotask|process|console|fetch|globalThis|crypto)\b\s*[.(]|\bnew\s+Date\b|\bMath\.random\b|['"]node:/g;
  return productFiles(files)
    .filter((file) => purePackages.includes(packageOf(file.path) ?? ''))
    .flatMap((file) =>
      [...withoutComments(file.text).matchAll(impure)].map(
        (match) => `${file.path}: uses ${match[0].trim()}`,
      ),
    );
}

export function impureDependencies(manifests: Manifests): readonly string[] {
  return purePackages.flatMap((name) =>
    Object.keys(manifests[name]?.dependencies ?? {}).map((dependency) => `${name} depends on ${dependency}`),
  );
}

/** Cycles of run-time imports, each reported once. */
export function cycles(files: readonly SourceFile[]): readonly string[] {
  const graph = new Map(files.map((file) => [file.path, relativeTargets(file, true)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
}

/** Only a text that was checked for its depth reaches the YAML library, which otherwise can end the process. */
export function unguardedYaml(files: readonly SourceFile[]): readonly string[] {
  const parser = /import[^;]*\b(?:parse(?:Document|AllDocuments)?|Composer)\b[^;]*from 'yaml'/;
  return productFiles(files)
    .filter(({ path }) => !path.includes('/src/generated/'))
    .filter(({ text }) => parser.test(text) && !/isNestedTooDeeply\(|yaml-limit\.ts/.test(text))
    .map(({ path }) => `${path}: parses YAML without a check of its depth; use parseYaml`);
}

/** Names without meaning, and files that hold more than one concept. */
export function untidyFiles(files: readonly SourceFile[]): readonly string[] {
  const empty = /(^|\/)(utils?|helpers?|common|misc)(\/|\.[a-z]+$)/;
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    return [
      ...(empty.test(path) ? [`${path}: the name says nothing`] : []),
      ...(lines > longestFile ? [`${path}: has ${lines} lines, more than ${longestFile}`] : []),
    ];
  });
}

function mayImport(layer: Layer, target: string, part: string, typeOnly: boolean): boolean {
  if (target === 'core' && layer.exceptCore?.includes(part)) return false;
  return layer.mayImport.includes(target) || (typeOnly && layer.typesOf?.includes(target) === true);
}

function productFiles(files: readonly SourceFile[]): readonly SourceFile[] {
  return files.filter((file) => packageOf(file.path) !== undefined && !isTest(file.path));
}

function externalImports(files: readonly SourceFile[]) {
  return files.flatMap((file) =>
    importsOf(file)
      .filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
      .map((found) => ({ ...found, file, owner: packageOf(file.path) ?? '' })),
  );
}

function dependencyName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isEntryPoint(specifier: string, manifests: Manifests): boolean {
  if (!specifier.startsWith(scope)) return true;
  const [name = '', ...rest] = specifier.slice(scope.length).split('/');
  const entry = rest.length === 0 ? '.' : `./${rest.join('/')}`;
  return entry in (manifests[name]?.exports ?? {});
}

function relativeTargets(file: SourceFile, runTimeOnly: boolean): readonly string[] {
  return importsOf(file)
    .filter(({ specifier, typeOnly }) => specifier.startsWith('.') && !(runTimeOnly && typeOnly))
    .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier));
}

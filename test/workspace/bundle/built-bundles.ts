import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../architecture/workspace.ts';

/** One file of code, as scripts/bundle.mjs reports it. */
export interface BundledFile {
  readonly name: string;
  readonly isEntry: boolean;
  /** Names of the files that it always loads. */
  readonly imports: readonly string[];
  /** What it was made of, by path from the root of the repository. */
  readonly modules: readonly string[];
}

export interface BuiltBundle {
  readonly directory: string;
  readonly program: string;
  readonly files: readonly BundledFile[];
}

export interface BuiltBundles {
  readonly karpenter: BuiltBundle;
  readonly controller: BuiltBundle;
  readonly 'node-termination-handler': BuiltBundle;
  remove(): Promise<void>;
}

/** Bundles all programs into a directory from which no package can be resolved. */
export async function buildBundles(): Promise<BuiltBundles> {
  const directory = await mkdtemp(join(tmpdir(), 'karpenter-bundle-'));
  const script = join(root, 'scripts', 'bundle.mjs');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, '--directory', directory, '--json'],
    { maxBuffer: 2 ** 28 },
  );
  const reported: Record<string, { files: readonly BundledFile[] }> = JSON.parse(stdout);
  const built = (name: string): BuiltBundle => ({
    directory: join(directory, name),
    program: join(directory, name, `${name}.mjs`),
    files: reported[name]?.files ?? [],
  });
  return {
    karpenter: built('karpenter'),
    controller: built('controller'),
    'node-termination-handler': built('node-termination-handler'),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

export function modulesOf({ files }: BuiltBundle): readonly string[] {
  return files.flatMap(({ modules }) => modules);
}

/** The modules that are loaded whatever the command is. */
export function modulesAtStart({ files }: BuiltBundle): readonly string[] {
  const loaded = new Set<BundledFile>();
  const load = (file: BundledFile | undefined): void => {
    if (file === undefined || loaded.has(file)) return;
    loaded.add(file);
    for (const name of file.imports) load(files.find((other) => other.name === name));
  };
  load(files.find(({ isEntry }) => isEntry));
  return [...loaded].flatMap(({ modules }) => modules);
}

export interface SourceMap {
  /** Path in the bundle. */
  readonly path: string;
  readonly sources: readonly string[];
}

export async function sourceMapsOf({ directory }: BuiltBundle): Promise<readonly SourceMap[]> {
  const paths = (await readdir(directory, { recursive: true })).filter((path) => path.endsWith('.map'));
  return Promise.all(
    paths.map(async (path) => {
      const { sources } = JSON.parse(await readFile(join(directory, path), 'utf8'));
      return { path, sources };
    }),
  );
}

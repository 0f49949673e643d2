import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { unreadable } from '../../file-errors.ts';
import { decodedText } from '../../file-text.ts';

/** A file of manifests, or standard input. */
export interface ManifestFile {
  /** As the user named it, for messages; the path to write to as well. */
  readonly path: string;
  /** Its path below a directory for results. */
  readonly target: string;
  readonly text: string;
}

export const standardInput = '-';
const extensions = new Set(['.yaml', '.yml', '.json']);

/** Reads files, all manifests below directories, and `-` for standard input. Each file once, in the order given. */
export async function readManifestFiles(
  paths: readonly string[],
  readStdin: () => Promise<string>,
): Promise<readonly ManifestFile[]> {
  const files = new Map<string, ManifestFile>();
  for (const path of paths) {
    for (const file of await filesOf(path, readStdin)) if (!files.has(file.path)) files.set(file.path, file);
  }
  return [...files.values()];
}

async function filesOf(path: string, readStdin: () => Promise<string>): Promise<readonly ManifestFile[]> {
  if (path === standardInput) return [{ path, target: 'manifests.yaml', text: await readStdin() }];
  const isDirectory = await readable(path, async () => (await stat(path)).isDirectory());
  if (!isDirectory) return [await fileAt(path, basename(path))];
  const found = await readable(path, () => manifestPaths(path));
  if (found.length > 0) return Promise.all(found.map((each) => fileAt(each, relative(path, each))));
  throw new CodedError(
    'empty-file',
    `${path} has no file that ends in .yaml, .yml or .json; name another folder`,
    {
      details: { file: path },
    },
  );
}

/** Below hidden folders, such as `.git`, there are no manifests of the user. */
async function manifestPaths(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const nested = entries
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(async (entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return manifestPaths(path);
      return extensions.has(extname(entry.name)) && (await stat(path)).isFile() ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}

async function fileAt(path: string, target: string): Promise<ManifestFile> {
  const content = await readable(path, () => readFile(path));
  return { path, target, text: decodedText(path, content) };
}

async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw unreadable(path, error);
  }
}

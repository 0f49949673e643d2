import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifests } from './rules.ts';
import type { SourceFile } from './source-file.ts';

export const root = join(import.meta.dirname, '..', '..', '..');

export const packageNames: readonly string[] = readdirSync(join(root, 'packages')).sort();

export function readManifests(): Manifests {
  return Object.fromEntries(
    packageNames.map((name) => [
      name,
      JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')),
    ]),
  );
}

/** All hand-written code, from the packages and the folders beside them. */
export function readSourceFiles(): readonly SourceFile[] {
  return ['packages', 'test', 'bench', 'scripts'].flatMap((folder) => walk(folder));
}

function walk(folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ['dist', 'node_modules'].includes(entry.name) ? [] : walk(path);
    return /\.(ts|tsx|mjs|go)$/.test(entry.name)
      ? [{ path, text: readFileSync(join(root, path), 'utf8') }]
      : [];
  });
}

import { basename } from 'node:path';
import type { FileSystem } from '../../durable-files/index.ts';
import { markPath } from './acknowledged-mark.ts';

/** Renames files so that nothing reads or removes them, all with the same unused number. */
export async function setAside(
  directory: string,
  files: FileSystem,
  paths: readonly string[],
): Promise<void> {
  const names = new Set(await files.list(directory));
  const suffix = freeSuffix(names);
  for (const path of [...paths, markPath(directory)]) {
    if (names.has(basename(path))) await files.rename(path, `${path}${suffix}`);
  }
  await files.syncDirectory(directory);
}

function freeSuffix(names: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const suffix = `.damaged-${number}`;
    if (![...names].some((name) => name.endsWith(suffix))) return suffix;
  }
}

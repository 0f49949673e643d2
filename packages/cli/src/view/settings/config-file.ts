import { readFile } from 'node:fs/promises';
import { unreadable } from '../../file-errors.ts';

/** The values of `~/.eks-node-viewer` by flag name; empty without such a file. */
export async function readConfigFile(path: string): Promise<ReadonlyMap<string, string>> {
  try {
    return parseConfig(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    throw unreadable(path, error);
  }
}

/** Lines of `key=value`, split at the first `=`. Everything else is ignored, as eks-node-viewer ignores it. */
export function parseConfig(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, key, value] = /^\s*([^#=\s][^=]*?)\s*=(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.trim()] as const];
    }),
  );
}

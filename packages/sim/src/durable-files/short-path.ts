import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A socket address has 104 bytes on macOS and 108 on Linux, which include the file name. */
const maxPathBytes = 90;

/**
 * Calls `use` with a path to the directory that is short enough for a socket address: a temporary symlink
 * when the path itself is too long.
 */
export async function withShortPath<T>(directory: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(directory) <= maxPathBytes) return use(directory);
  const parent = await mkdtemp(join(tmpdir(), 'karpenter-'));
  try {
    await symlink(resolve(directory), join(parent, 'd'));
    return await use(join(parent, 'd'));
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

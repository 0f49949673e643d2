import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The address of a socket has room for 104 bytes on macOS and 108 on Linux, its name in the directory included. */
const longestPath = 90;

/** Gives `use` a path to the directory that is short enough for the address of a socket in it. */
export async function withShortPath<T>(directory: string, use: (path: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(directory) <= longestPath) return use(directory);
  const parent = await mkdtemp(join(tmpdir(), 'karpenter-'));
  try {
    await symlink(resolve(directory), join(parent, 'd'));
    return await use(join(parent, 'd'));
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

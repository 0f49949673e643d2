import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileSystem, nodeFileSystem, writeFileAtomically } from './index.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'karpenter-atomic-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const freshDirectory = () => mkdtemp(join(parent, 'case-'));

/** A disk that takes this many bytes of each file and no more. */
function diskOf(room: number): FileSystem {
  return {
    ...nodeFileSystem,
    open: async (path, flags) => {
      const file = await nodeFileSystem.open(path, flags);
      const write = (bytes: Uint8Array, position: number): Promise<number> => {
        if (position >= room) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        return file.write(bytes.subarray(0, room - position), position);
      };
      return { ...file, write: async (bytes, position) => write(bytes, position) };
    },
  };
}

describe('a file that is written atomically', () => {
  it('has the new content and leaves no temporary file', async () => {
    const directory = await freshDirectory();
    await writeFileAtomically(join(directory, 'state'), 'one');
    await writeFileAtomically(join(directory, 'state'), 'two');
    expect(await readFile(join(directory, 'state'), 'utf8')).toBe('two');
    expect(await readdir(directory)).toEqual(['state']);
  });

  it('is readable by its owner only, even if others could read the old one', async () => {
    const directory = await freshDirectory();
    await writeFile(join(directory, 'state'), 'old');
    await chmod(join(directory, 'state'), 0o644);
    await writeFileAtomically(join(directory, 'state'), 'new');
    expect((await stat(join(directory, 'state'))).mode & 0o777).toBe(0o600);
  });

  it('keeps the old content when the disk is full, and leaves no temporary file', async () => {
    const directory = await freshDirectory();
    await writeFileAtomically(join(directory, 'state'), 'old');
    const attempt = writeFileAtomically(join(directory, 'state'), 'much longer', diskOf(5));
    await expect(attempt).rejects.toThrow('no space left');
    expect(await readFile(join(directory, 'state'), 'utf8')).toBe('old');
    expect(await readdir(directory)).toEqual(['state']);
  });
});

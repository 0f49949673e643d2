import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DirectoryLock, lockDirectory } from './index.ts';

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'karpenter-lock-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const freshDirectory = () => mkdtemp(join(parent, 'case-'));

async function writeHolder(directory: string, number: number, text: string): Promise<void> {
  await mkdir(join(directory, `lock-${number}`));
  await writeFile(join(directory, `lock-${number}`, 'holder.json'), text);
}

async function expectTaken(directory: string): Promise<void> {
  await expect(lockDirectory(directory)).rejects.toThrow(
    `cannot use the data directory ${directory}: the process ${process.pid} uses it; stop that process or choose another --data-dir`,
  );
}

describe('a locked directory', () => {
  it('rejects others with the pid of the holder until it is released', async () => {
    const directory = await freshDirectory();
    const lock = await lockDirectory(directory);
    await expectTaken(directory);
    await expectTaken(directory);
    await lock.release();
    await lock.release();
    const next = await lockDirectory(directory);
    await next.release();
  });

  it('is the same through a symlink and a relative path', async () => {
    const directory = await freshDirectory();
    const lock = await lockDirectory(directory);
    const link = `${directory}-link`;
    await symlink(directory, link);
    await expectTaken(link);
    await expectTaken(relative(process.cwd(), directory));
    await lock.release();
  });

  it('may have a path that is too long for a socket address', async () => {
    const directory = join(await freshDirectory(), 'x'.repeat(100), 'y'.repeat(100));
    await mkdir(directory, { recursive: true });
    const lock = await lockDirectory(directory);
    await expectTaken(directory);
    await lock.release();
    await (await lockDirectory(directory)).release();
  });

  it('goes to exactly one of many concurrent processes', async () => {
    const directory = await freshDirectory();
    for (let round = 0; round < 10; round += 1) {
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(directory)));
      const locks = outcomes.flatMap((outcome): DirectoryLock[] =>
        outcome.status === 'fulfilled' ? [outcome.value] : [],
      );
      expect({ round, held: locks.length }).toEqual({ round, held: 1 });
      await locks[0]?.release();
    }
    expect(await readdir(directory)).toHaveLength(1);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '\0\0\0'],
    ['JSON of another kind', '[1, 2]'],
    ['a pid that is none', '{"pid":"x","hasSocket":true}'],
  ])('replaces a lock that contains %s', async (_, text) => {
    const directory = await freshDirectory();
    await writeHolder(directory, 3, text);
    const lock = await lockDirectory(directory);
    await expectTaken(directory);
    expect(await readdir(directory)).toEqual(['lock-4']);
    await lock.release();
  });

  it('replaces a file or an empty directory in place of the lock', async () => {
    const directory = await freshDirectory();
    await writeFile(join(directory, 'lock-1'), 'garbage');
    await mkdir(join(directory, 'lock-2'));
    const lock = await lockDirectory(directory);
    await expectTaken(directory);
    await lock.release();
  });

  it('replaces the lock of a process without sockets that is gone or whose pid is reused', async () => {
    const directory = await freshDirectory();
    const { pid } = process;
    await writeHolder(directory, 1, JSON.stringify({ pid, hasSocket: false, started: 'another boot 1' }));
    await (await lockDirectory(directory)).release();
    await writeHolder(directory, 7, JSON.stringify({ pid: 2 ** 30, hasSocket: false }));
    await (await lockDirectory(directory)).release();
  });

  it('stays with a running process without sockets', async () => {
    const directory = await freshDirectory();
    await writeHolder(directory, 1, JSON.stringify({ pid: process.pid, hasSocket: false }));
    await expectTaken(directory);
  });

  it('is readable by its owner only', async () => {
    const directory = await freshDirectory();
    await chmod(directory, 0o755);
    const lock = await lockDirectory(directory);
    const mode = async (path: string) => (await stat(join(directory, path))).mode & 0o777;
    expect([await mode('lock-1'), await mode('lock-1/holder.json'), await mode('lock-1/socket')]).toEqual([
      0o700, 0o600, 0o600,
    ]);
    await lock.release();
  });

  it('is unchanged after a rejected attempt', async () => {
    const directory = await freshDirectory();
    const lock = await lockDirectory(directory);
    const before = await readFile(join(directory, 'lock-1', 'holder.json'), 'utf8');
    await expectTaken(directory);
    expect(await readdir(directory)).toEqual(['lock-1']);
    expect(await readFile(join(directory, 'lock-1', 'holder.json'), 'utf8')).toBe(before);
    await lock.release();
  });
});

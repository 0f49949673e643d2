import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@karpenter/testkit/clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkedLine } from '../../durable-files/index.ts';
import { createCloud } from '../cloud.ts';
import { AccountFile } from './account-file.ts';
import type { SavedAccount } from './saved-account.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'karpenter-account-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const clusterName = 'prod';
const read = (options: { clusterName?: string; repair?: boolean } = {}) =>
  AccountFile.read({ directory, clusterName, ...options });

function account(): SavedAccount {
  const cloud = createCloud({ clock: new VirtualClock(), seed: 7, clusterName });
  return { cloud: cloud.save(), boots: { nodes: [], failures: [['i-1', 'no role']] } };
}

/** Writes an account file and returns its path. */
async function written(): Promise<string> {
  const file = await read();
  await file.write(account());
  return file.path;
}

describe('the account file', () => {
  it('returns what was written and is readable only by its owner', async () => {
    const path = await written();
    expect((await read()).saved).toEqual(account());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['simulated-account.jsonl']);
  });

  it('may be missing', async () => {
    expect((await read()).saved).toBeUndefined();
    expect(await readdir(directory)).toEqual([]);
  });

  it('throws for the file of another cluster, with and without repair', async () => {
    await written();
    const attempt = read({ clusterName: 'test', repair: true });
    await expect(attempt).rejects.toMatchObject({
      code: 'other-cluster',
      message:
        'the data directory belongs to the cluster prod, not to test; use --cluster-name prod or choose another --data-dir',
    });
  });

  it('throws for another format version and does not touch the file', async () => {
    const path = join(directory, 'simulated-account.jsonl');
    const text = checkedLine(
      JSON.stringify({ format: 'karpenter-simulated-account', version: 2, clusterName }),
    );
    await writeFile(path, text);
    await expect(read({ repair: true })).rejects.toThrow(
      /has format version 2 and this release reads version 1/,
    );
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('removes temporary files of unfinished writes and nothing else', async () => {
    await written();
    await writeFile(join(directory, 'simulated-account.jsonl.0a1b2c3d.part'), 'half');
    await writeFile(join(directory, 'log-1.jsonl'), 'other');
    await (await read()).prepare(0);
    expect((await readdir(directory)).sort()).toEqual(['log-1.jsonl', 'simulated-account.jsonl']);
  });
});

describe('a damaged account file', () => {
  const damages: readonly (readonly [string, (text: string) => string])[] = [
    ['is empty', () => ''],
    ['is not an account file', () => 'hello\n'],
    ['is cut off within a line', (text) => text.slice(0, -20)],
    ['lacks its last line', (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)],
    ['lacks a line', (text) => text.replace(/^.*"head".*\n/m, '')],
    ['has a changed byte', (text) => text.replace('us-west-2a', 'us-west-2b')],
    ['has something after its end', (text) => `${text}more`],
  ];

  it.each(damages)('that %s throws with its path and is not touched', async (_, damage) => {
    const path = await written();
    const text = damage(await readFile(path, 'utf8'));
    await writeFile(path, text);
    await expect(read()).rejects.toMatchObject({
      code: 'damaged-data-directory',
      message: expect.stringContaining(`cannot read the simulated account in ${path}: the file is damaged`),
    });
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('is moved aside with repair, and a new account starts', async () => {
    const path = await written();
    await writeFile(path, 'hello\n');
    const file = await read({ repair: true });
    expect(file.saved).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe('hello\n');
    const aside = `${path}.damaged-2026-01-01T00-00-00.000Z`;
    expect(await file.prepare(Date.UTC(2026, 0, 1))).toBe(
      `the simulated account in ${path} was damaged and is now in ${aside}; a new account begins`,
    );
    expect(await readFile(aside, 'utf8')).toBe('hello\n');
    await file.write(account());
    expect((await read()).saved).toEqual(account());
  });
});

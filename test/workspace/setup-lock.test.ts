import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = new URL('../../scripts/setup-lock.mjs', import.meta.url).href;
/** Scripts are plain JavaScript without declarations. */
interface SetupLock {
  holdLock(
    path: string,
    options?: { readonly onWait?: (holder: string) => void; readonly patience?: number },
  ): { readonly release?: () => void; readonly heldBy?: string };
}
const { holdLock } = (await import(script)) as SetupLock;
const prepare = new URL('../../scripts/prepare.mjs', import.meta.url).href;

describe('the lock of a set-up', () => {
  let directory: string;
  let lock: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'setup-lock-'));
    lock = join(directory, 'lock');
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const program = (text: string) => [
    '--input-type=module',
    '-e',
    `import { holdLock } from '${script}';${text}`,
  ];

  it('is free again when it is released', () => {
    holdLock(lock).release?.();
    expect(existsSync(lock)).toBe(false);
    expect(holdLock(lock, { patience: 0 }).release).toBeDefined();
  });

  it('of a process that was killed is taken at once', async () => {
    const holder = spawn(
      process.execPath,
      program(`holdLock(${JSON.stringify(lock)}); console.log('held'); setInterval(() => {}, 1000);`),
    );
    await once(holder.stdout, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(existsSync(lock)).toBe(true);
    expect(holdLock(lock, { patience: 0 }).release).toBeDefined();
  });

  it('of a process that runs is waited for, with one notice that names the process', () => {
    holdLock(lock);
    const notices: string[] = [];
    const { release, heldBy } = holdLock(lock, { patience: 500, onWait: (holder) => notices.push(holder) });
    expect(release).toBeUndefined();
    expect(notices).toEqual([`process ${process.pid} of ${hostname()}`]);
    expect(heldBy).toBe(notices[0]);
  });

  it.each([
    ['of another machine', () => writeFileSync(lock, JSON.stringify({ host: 'elsewhere', pid: 1 }))],
    ['of an earlier version, a directory', () => mkdirSync(lock)],
  ])('%s is taken when it is ten minutes old', (_, create) => {
    create();
    expect(holdLock(lock, { patience: 0 }).release).toBeUndefined();
    const old = new Date(Date.now() - 11 * 60_000);
    utimesSync(lock, old, old);
    expect(holdLock(lock, { patience: 0 }).release).toBeDefined();
  });

  it('does not outlive a set-up that fails', () => {
    const text = `import { fail, root, withLock } from '${prepare}';
      withLock(() => { console.log(root); fail('npm ci failed'); });`;
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, 'karpenter: npm ci failed\n']);
    expect(existsSync(join(stdout.trim(), '.setup.lock'))).toBe(false);
  });
});

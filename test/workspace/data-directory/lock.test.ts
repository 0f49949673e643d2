import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/workspace.ts';

let parent: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'karpenter-locks-'));
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(parent, { recursive: true, force: true });
});

interface Contender {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  nextLine(): Promise<string>;
}

function contender(directory: string): Contender {
  const script = join(root, 'test', 'workspace', 'data-directory', 'holder.mjs');
  const child = spawn(process.execPath, [script, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  if (child.stdout === null) throw new Error('the contender has no output');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, exited, nextLine: async () => String((await lines.next()).value) };
}

/** Starts several processes on the directory at once, and returns the output of each. */
async function race(directory: string, count: number): Promise<readonly (Contender & { said: string })[]> {
  const contenders = Array.from({ length: count }, () => contender(directory));
  for (const { nextLine } of contenders) expect(await nextLine()).toBe('ready');
  for (const { child } of contenders) child.stdin?.write('go\n');
  return Promise.all(contenders.map(async (each) => ({ ...each, said: await each.nextLine() })));
}

describe('a data directory that several processes open', () => {
  it('goes to one of them, even after its holder was killed, and the others name it', async () => {
    const directory = join(parent, 'wanted');
    for (let round = 0; round < 3; round += 1) {
      const contenders = await race(directory, 5);
      const [holder, ...more] = contenders.filter(({ said }) => said.startsWith('held'));
      expect({ round, more: more.length }).toEqual({ round, more: 0 });
      const pid = holder?.child.pid;
      const refusals = contenders.map(({ said }) => said).filter((said) => said.startsWith('refused'));
      expect(refusals).toEqual(
        Array(4).fill(
          `refused cannot use the data directory ${directory}: the process ${pid} uses it; stop that process or choose another --data-dir`,
        ),
      );
      holder?.child.kill('SIGKILL');
      await holder?.exited;
    }
  });

  it('stays with a process that is too busy to respond', async () => {
    const directory = join(parent, 'busy');
    const [holder] = await race(directory, 1);
    holder?.child.kill('SIGSTOP');
    const [other] = await race(directory, 1);
    expect(other?.said).toContain(`the process ${holder?.child.pid} uses it`);
    holder?.child.kill('SIGKILL');
  });
});

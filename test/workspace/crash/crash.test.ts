import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { rounds } from '@karpenter/testkit/rounds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../architecture/workspace.ts';

const stores = 4;
const killsPerStore = rounds({ quick: 10, full: 50 });
/** Small, so that kills also hit the writing of snapshots. */
const bytesPerLog = 16_384;

interface Acknowledged {
  readonly revision: number;
  /** Undefined after a deletion. */
  readonly value: string | undefined;
  /** A deletion was started and may or may not have taken effect. */
  readonly mayBeGone?: boolean;
}

/** Acknowledged writes by name, the latest of each. */
type Ledger = Map<string, Acknowledged>;

let parent: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'karpenter-crash-'));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

function startWriter(directory: string, round: number): ChildProcess {
  const script = join(root, 'test', 'workspace', 'crash', 'writer.mjs');
  return spawn(process.execPath, [script, directory, String(round), String(bytesPerLog)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Runs a writer until it has printed `lines` lines, kills it, and returns where it started. */
async function writeAndKill(
  directory: string,
  round: number,
  lines: number,
  ledger: Ledger,
): Promise<number> {
  const writer = startWriter(directory, round);
  const exited = new Promise((resolve) => writer.once('exit', resolve));
  let opened = Number.NaN;
  let heard = 0;
  if (writer.stdout === null) throw new Error('the writer has no output');
  for await (const line of createInterface({ input: writer.stdout })) {
    const [word, revision, name, value] = line.split(' ');
    if (word === 'open') opened = Number(revision);
    else if (word === 'will') allowRemoval(ledger, name ?? '');
    else if (name !== undefined) note(ledger, name, { revision: Number(revision), value });
    heard += 1;
    if (heard === lines) writer.kill('SIGKILL');
  }
  await exited;
  return opened;
}

function note(ledger: Ledger, name: string, next: Acknowledged): void {
  const known = ledger.get(name);
  if (known === undefined || known.revision < next.revision) ledger.set(name, next);
}

function allowRemoval(ledger: Ledger, name: string): void {
  const known = ledger.get(name);
  if (known !== undefined) ledger.set(name, { ...known, mayBeGone: true });
}

/** The same numbers in every run. */
function* seeded(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

async function present(
  directory: string,
): Promise<{ revision: number; values: ReadonlyMap<string, Acknowledged> }> {
  const { recover } = await import('@karpenter/sim/apiserver');
  const { revision, entries } = await recover(directory);
  const values = entries.map(({ name, revision: at, object }): [string, Acknowledged] => {
    const { data } = object;
    const value = typeof data === 'object' && data !== null && 'value' in data ? String(data['value']) : '';
    return [name, { revision: at, value }];
  });
  return { revision, values: new Map(values) };
}

/**
 * A write after the last acknowledged one may be present too: the kill only prevented its acknowledgement.
 */
function isKept(acknowledged: Acknowledged, found: Acknowledged | undefined): boolean {
  if (found === undefined) return acknowledged.value === undefined || acknowledged.mayBeGone === true;
  if (found.revision > acknowledged.revision) return true;
  return found.value === acknowledged.value;
}

async function killOften(index: number): Promise<void> {
  const directory = join(parent, String(index));
  const ledger: Ledger = new Map();
  const chance = seeded(index);
  for (let round = 0; round < killsPerStore; round += 1) {
    const newest = Math.max(0, ...[...ledger.values()].map(({ revision }) => revision));
    const lines = 1 + Math.floor(60 * (chance.next().value ?? 0));
    expect(await writeAndKill(directory, round, lines, ledger)).toBeGreaterThanOrEqual(newest);
    const { revision, values } = await present(directory);
    expect(revision).toBeGreaterThanOrEqual(newest);
    const lost = [...ledger].filter(([name, known]) => !isKept(known, values.get(name)));
    expect({ round, lost }).toEqual({ round, lost: [] });
  }
}

describe('a store that is killed while it writes', () => {
  it(`has every acknowledged write after each of ${stores * killsPerStore} kills, and its revision never goes back`, {
    timeout: 300_000,
  }, async () => {
    await Promise.all(Array.from({ length: stores }, (_, index) => killOften(index)));
  });
});

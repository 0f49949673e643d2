import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const moduleOf = (name: string) =>
  import(new URL(`../../../bench/controllers/${name}`, import.meta.url).href);

interface Settings {
  readonly podCounts: readonly number[];
  readonly budgets: readonly string[];
  readonly runs: number;
  readonly pace: number;
  readonly karpenter: string | undefined;
}

const { settingsOf }: { settingsOf(environment: Record<string, string>): Settings } =
  await moduleOf('settings.mjs');
const { spreadText }: { spreadText(values: readonly number[], format?: { unit: string }): string } =
  await moduleOf('spread.mjs');
const { PodMoves } = await moduleOf('pod-moves.mjs');
const { kwokInstanceTypes } = await moduleOf('kwok-types.mjs');

describe('the settings of the bench of the controllers', () => {
  it('measure 500 and 1,000 pods with two budgets once by default', () => {
    expect(settingsOf({})).toMatchObject({
      podCounts: [500, 1000],
      budgets: ['10%', '100%'],
      runs: 1,
      pace: 500,
    });
  });

  it('take numbers of pods, budgets, runs and a program of Karpenter', () => {
    const environment = {
      KARPENTER_BENCH_PODS: '50, 60',
      KARPENTER_BENCH_BUDGETS: '3',
      KARPENTER_BENCH_RUNS: '2',
      KARPENTER_BENCH_KARPENTER: process.execPath,
    };
    expect(settingsOf(environment)).toMatchObject({
      podCounts: [50, 60],
      budgets: ['3'],
      runs: 2,
      karpenter: process.execPath,
    });
  });

  it.each([
    ['KARPENTER_BENCH_PODS', '0', '--pods 0: not a positive whole number'],
    ['KARPENTER_BENCH_PODS', '5,x', '--pods x: not a positive whole number'],
    ['KARPENTER_BENCH_PACE', '0', '--pace 0: not a positive whole number'],
    ['KARPENTER_BENCH_RUNS', '1.5', '--runs 1.5: not a positive whole number'],
    ['KARPENTER_BENCH_BUDGETS', '101%', '--budgets 101%: not a budget of a NodePool, such as 10% or 3'],
    ['KARPENTER_BENCH_KARPENTER', '/none', '--karpenter /none: cannot be run (ENOENT)'],
  ])('refuse %s=%s in one sentence', (name, value, message) => {
    expect(() => settingsOf({ [name]: value })).toThrow(message);
  });
});

describe('npm run bench', () => {
  const bench = (...args: readonly string[]) =>
    spawnSync(
      process.execPath,
      [fileURLToPath(new URL('../../../scripts/bench.mjs', import.meta.url)), ...args],
      {
        encoding: 'utf8',
      },
    );

  it('refuses options of the bench of the controllers for another bench', () => {
    const { status, stderr } = bench('--only', 'state', '--runs', '2');
    expect(status).not.toBe(0);
    expect(stderr).toContain('--runs is an option of --only controllers');
  });

  it('refuses a Karpenter that does not exist before it builds anything', () => {
    const { status, stderr } = bench('--only', 'controllers', '--karpenter', '/none');
    expect(status).not.toBe(0);
    expect(stderr).toContain('npm run karpenter-kwok builds it');
  });
});

describe('the report of several runs', () => {
  it('shows the value in the middle, the least and the most', () => {
    expect(spreadText([3, 1, 2], { unit: 's' })).toBe('2.0 s (1.0 to 3.0)');
    expect(spreadText([4, 1, 2, 3])).toBe('2.5 (1.0 to 4.0)');
  });

  it('shows a single run as it is', () => {
    expect(spreadText([3], { unit: 's' })).toBe('3.0 s');
  });
});

describe('the moves of pods', () => {
  const evicted = [{ type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI', status: 'True' }];
  const pod = (uid: string, owner: string, conditions: readonly object[] = []) => ({
    metadata: { uid, ownerReferences: [{ uid: owner }] },
    status: { conditions },
  });

  it('continue in the pod that the ReplicaSet creates next', () => {
    const moves = new PodMoves();
    for (const uid of ['a', 'b']) moves.created(pod(uid, 'set'));
    moves.changed(pod('a', 'set', evicted));
    moves.created(pod('c', 'set'));
    moves.changed(pod('c', 'set', evicted));
    moves.created(pod('d', 'set'));
    expect([moves.total, moves.most([pod('b', 'set'), pod('d', 'set')])]).toEqual([2, 2]);
  });

  it('count an eviction once, and no pod that is deleted without one', () => {
    const moves = new PodMoves();
    moves.created(pod('a', 'set'));
    moves.created(pod('b', 'set'));
    moves.changed(pod('a', 'set', evicted));
    moves.changed(pod('a', 'set', evicted));
    moves.changed(pod('b', 'set'));
    expect(moves.total).toBe(1);
  });
});

describe("the instance types for Karpenter's provider for KWOK", () => {
  it('have the allocatable resources of ours after what the provider subtracts', () => {
    const types: readonly { readonly name: string; readonly resources: Record<string, string> }[] =
      kwokInstanceTypes();
    expect(types.length).toBeGreaterThan(600);
    // An m5.large has 1930m of CPU for pods: two vCPUs less 70m. The provider reserves 100m.
    expect(types.find(({ name }) => name === 'm5.large')?.resources['cpu']).toBe('2030m');
  });

  it('are those that the NodePool of the bench allows', () => {
    const names = (kwokInstanceTypes() as readonly { readonly name: string }[]).map(({ name }) => name);
    expect(names.filter((name) => /^(t|g|p|m4|c6g)/.test(name))).toEqual([]);
  });
});

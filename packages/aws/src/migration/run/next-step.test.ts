import { describe, expect, it } from 'vitest';
import { type DrainOptions, nextStep } from './next-step.ts';
import type { ObservedCluster, ObservedNode, ObservedPod } from './observed-cluster.ts';
import type { GroupRecord, MigrationProgress } from './progress.ts';
import { plannedSteps } from './step-text.ts';

const minute = 60_000;
const start = 1_000 * minute;

const record = (change: Partial<GroupRecord> = {}): GroupRecord => ({
  name: 'workers',
  autoScalingGroup: 'asg',
  sizes: { min: 1, desired: 3, max: 9 },
  wasRebalanceSuspended: false,
  cordonedBefore: [],
  keep: 0,
  phase: 'moving',
  drains: {},
  ...change,
});

const progress = (...groups: readonly GroupRecord[]): MigrationProgress => ({
  version: 1,
  clusterName: 'prod',
  startedAt: start,
  groups,
});

const node = (name: string, zone: string, age: number): ObservedNode => ({
  name,
  instanceId: `i-${name}`,
  zone,
  createdAt: start - age * minute,
  isCordoned: true,
});

const pod = (name: string, change: Partial<ObservedPod> = {}): ObservedPod => ({
  key: `default/${name}`,
  namespace: 'default',
  name,
  createdAt: start - minute,
  isReady: true,
  isTerminating: false,
  isMovable: true,
  isKarpenter: false,
  ...change,
});

const nodes = [node('a-new', 'a', 1), node('b', 'b', 9), node('a-old', 'a', 5)];

/** A group of three cordoned nodes that may neither grow nor move instances. */
const cluster = (change: Partial<ObservedCluster> = {}): ObservedCluster => ({
  now: start,
  groups: new Map([
    [
      'asg',
      {
        sizes: { min: 1, desired: 3, max: 3 },
        isRebalanceSuspended: true,
        instanceIds: ['i-a-new', 'i-b', 'i-a-old'],
      },
    ],
  ]),
  nodes,
  pods: [],
  unhealthyPools: [],
  ...change,
});

const options: DrainOptions = { parallel: 1, timeoutMs: 15 * minute, force: false };
const step = (group: GroupRecord, observed: ObservedCluster, change: Partial<DrainOptions> = {}) =>
  nextStep(progress(group), observed, { ...options, ...change });

const grown = (change: object) => {
  const [[name, group] = ['', undefined]] = [...cluster().groups];
  return cluster({ groups: new Map([[name, { ...group, ...change } as never]]) });
};

describe('the next step of a migration', () => {
  it('stops Cluster Autoscaler before anything else and waits for its pods', () => {
    expect(step(record(), cluster({ autoscaler: { replicas: 1, pods: 1 } }))).toEqual({
      kind: 'stop-autoscaler',
    });
    expect(step(record(), cluster({ autoscaler: { replicas: 0, pods: 1 } })).kind).toBe('wait');
  });

  it('suspends AZ rebalance, lowers the maximum and cordons before it drains', () => {
    expect(step(record(), grown({ isRebalanceSuspended: false })).kind).toBe('suspend-rebalance');
    expect(step(record(), grown({ sizes: { min: 1, desired: 3, max: 9 } }))).toMatchObject({
      kind: 'limit-group',
      desired: 3,
    });
    const open = nodes.map((each) => ({ ...each, isCordoned: each.name !== 'b' }));
    expect(step(record(), cluster({ nodes: open }))).toMatchObject({ kind: 'cordon', node: 'b' });
  });

  it('drains zone by zone, the oldest node first', () => {
    expect(step(record(), cluster())).toMatchObject({ kind: 'start-drain', node: 'a-old' });
  });

  it('drains as many nodes of one zone at a time as allowed, and none of another zone', () => {
    const draining = record({ drains: { 'a-old': start } });
    expect(step(draining, cluster(), { parallel: 3 })).toMatchObject({ kind: 'start-drain', node: 'a-new' });
    const both = record({ drains: { 'a-old': start, 'a-new': start } });
    expect(step(both, cluster(), { parallel: 3 }).kind).toBe('terminate');
  });

  it('evicts the pods of the node, waits for those that end, and leaves daemons', () => {
    const draining = record({ drains: { 'a-old': start } });
    const on = { nodeName: 'a-old' };
    const evicted = step(
      draining,
      cluster({ pods: [pod('web', on), pod('daemon', { ...on, isMovable: false })] }),
    );
    expect(evicted).toMatchObject({ kind: 'evict', pods: [{ name: 'web' }] });
    expect(step(draining, cluster({ pods: [pod('web', { ...on, isTerminating: true })] })).kind).toBe('wait');
  });

  it('waits for replacements to be Ready before it terminates the instance', () => {
    const draining = record({ drains: { 'a-old': start } });
    const fresh = pod('web', { createdAt: start + 1_000, isReady: false });
    expect(step(draining, cluster({ pods: [fresh] })).kind).toBe('wait');
    expect(step(draining, cluster({ pods: [{ ...fresh, isReady: true }] }))).toMatchObject({
      kind: 'terminate',
      instanceId: 'i-a-old',
      desired: 2,
    });
    expect(step(draining, cluster({ pods: [{ ...fresh, createdAt: start - minute }] })).kind).toBe(
      'terminate',
    );
  });

  it('keeps nodes that run the controller, and does not cordon them', () => {
    const open = nodes.map((each) => ({ ...each, isCordoned: each.name !== 'b' }));
    const pods = [pod('karpenter', { nodeName: 'b', isKarpenter: true })];
    expect(step(record({ keep: 1 }), cluster({ nodes: open, pods }))).toMatchObject({
      kind: 'start-drain',
      node: 'a-old',
    });
  });

  it('terminates instances that never joined and sets the final size', () => {
    expect(step(record(), cluster({ nodes: [] }))).toMatchObject({
      kind: 'terminate',
      instanceId: 'i-a-new',
    });
    const empty = grown({ instanceIds: [], sizes: { min: 0, desired: 0, max: 0 } });
    expect(step(record(), { ...empty, nodes: [] })).toEqual({
      kind: 'finish-group',
      group: 'workers',
      keep: 0,
    });
  });

  it('skips a group that was deleted', () => {
    expect(step(record(), cluster({ groups: new Map() })).kind).toBe('skip-group');
  });

  it('is done after the last group', () => {
    expect(step(record({ phase: 'done' }), cluster()).kind).toBe('done');
  });

  it.each([
    [
      'a pod without a controller',
      { protection: 'has no controller that would replace it' },
      /pod default\/web has no controller/,
    ],
    [
      'a budget in a deadlock',
      { deadlock: 'PodDisruptionBudget default/web allows no eviction' },
      /cannot be evicted, because PodDisruptionBudget default\/web/,
    ],
  ])('does not start a group with %s', (_, change, message) => {
    const observed = cluster({ pods: [pod('web', { nodeName: 'b', ...change })] });
    expect(step(record({ phase: 'pending' }), observed)).toMatchObject({
      kind: 'problem',
      message: expect.stringMatching(message),
    });
  });

  it('evicts protected pods when forced', () => {
    const observed = cluster({ pods: [pod('web', { nodeName: 'b', protection: 'has no controller' })] });
    expect(step(record({ phase: 'pending' }), observed, { force: true }).kind).toBe('start-group');
  });

  it.each([
    [
      'a drain that takes too long',
      { drains: { 'a-old': start - 16 * minute } },
      { pods: [pod('web', { nodeName: 'a-old' })] },
      /takes more than 15 minutes: pod default\/web is not evicted/,
    ],
    [
      'a pod that has no node for too long',
      { drains: { 'a-old': start - 20 * minute } },
      {
        pods: [pod('web', { createdAt: start - 16 * minute, isReady: false, schedulerMessage: '0/3 nodes' })],
      },
      /pod default\/web has no node: 0\/3 nodes after 15 minutes/,
    ],
    [
      'nodes that fail to register',
      { drains: { 'a-old': start } },
      {
        pods: [pod('web', { createdAt: start, isReady: false })],
        unhealthyPools: [{ name: 'workers', message: 'no join', since: start }],
      },
      /nodes of NodePool workers fail to register: no join/,
    ],
  ])('stops at %s', (_, change, observed, message) => {
    expect(step(record(change), cluster(observed))).toMatchObject({
      kind: 'problem',
      message: expect.stringMatching(message),
    });
  });

  it('ignores a NodePool that was unhealthy before the migration', () => {
    const unhealthyPools = [{ name: 'old', message: '', since: start - minute }];
    const pods = [pod('web', { createdAt: start, isReady: false })];
    expect(step(record({ drains: { 'a-old': start } }), cluster({ pods, unhealthyPools })).kind).toBe('wait');
  });
});

describe('the printed steps', () => {
  it('are those that a run takes if every pod leaves at once', () => {
    const before = grown({ isRebalanceSuspended: false, sizes: { min: 1, desired: 3, max: 9 } });
    const open = { ...before, nodes: nodes.map((each) => ({ ...each, isCordoned: false })) };
    const texts = plannedSteps(progress(record({ phase: 'pending' })), open);
    expect(texts.map((text) => text.replace('group workers: ', ''))).toEqual([
      'check that the pods of 3 nodes fit elsewhere',
      'suspend AZ rebalance',
      'lower the maximum to 3',
      'cordon node a-old',
      'cordon node a-new',
      'cordon node b',
      'drain node a-old',
      'terminate instance i-a-old of node a-old and lower minimum and desired size to 2',
      'drain node a-new',
      'terminate instance i-a-new of node a-new and lower minimum and desired size to 1',
      'drain node b',
      'terminate instance i-b of node b and lower minimum and desired size to 0',
      'set minimum, desired size and maximum to 0',
    ]);
  });
});

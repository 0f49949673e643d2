import { claim, pendingPod } from '@karpenter/testkit/cluster-objects';
import { pod, pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { coreLabelPolicy } from '../api/index.ts';
import { requirementPolicy } from '../requirements/index.ts';
import { ClusterState, type StateEvent } from '../state/index.ts';
import { type PlanEnvironment, planInput, preparedPods } from './index.ts';

const environment: PlanEnvironment = {
  policy: requirementPolicy(coreLabelPolicy),
  defaultSpread: [],
  spreadSources: () => {
    throw new Error('nobody asks for what is not lent');
  },
  isManaged: () => true,
  bufferPods: [],
};

const ready = {
  conditions: [
    {
      type: 'Ready',
      status: 'True' as const,
      reason: 'Ready',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    },
  ],
};

function input(events: readonly StateEvent[], parts: Partial<PlanEnvironment> = {}) {
  const state = new ClusterState({ kinds: [] });
  for (const event of events) state.apply(event);
  return planInput(state.snapshot(5), { ...environment, ...parts });
}

const names = (pods: readonly { readonly metadata: { readonly name: string } }[]) =>
  pods.map(({ metadata }) => metadata.name);

describe('the input of a plan', () => {
  it('contains pending pods, except those with unsupported constraints', () => {
    const { snapshot, ignored } = input([
      { type: 'applied', kind: 'Pod', object: pendingPod('good') },
      {
        type: 'applied',
        kind: 'Pod',
        object: pendingPod('bad', { nodeSelector: { 'kubernetes.io/hostname': 'x' } }),
      },
    ]);
    expect(names(snapshot.pods)).toEqual(['good']);
    expect(ignored.map(({ pod: { metadata }, verdict }) => [metadata.name, verdict.isReported])).toEqual([
      ['bad', true],
    ]);
  });

  it('contains only ready managed pools, and lists those that are not ready', () => {
    const pools = [pool('good', ready), pool('unready'), pool('foreign', ready)];
    const { snapshot, notReady } = input(
      pools.map((object) => ({ type: 'applied', kind: 'NodePool', object })),
      { isManaged: ({ metadata }) => metadata.name !== 'foreign' },
    );
    expect(names(snapshot.nodePools)).toEqual(['good']);
    expect(names(notReady)).toEqual(['unready']);
  });

  it('contains virtual pods of buffers, except those that a launch in flight covers', () => {
    const bufferPods = [pod('virtual-1'), pod('virtual-2')];
    const launch: StateEvent = { type: 'launchRecorded', nodeClaim: claim('claim-1'), pods: ['virtual-1'] };
    expect(names(input([], { bufferPods }).snapshot.pods)).toEqual(['virtual-1', 'virtual-2']);
    expect(names(input([launch], { bufferPods }).snapshot.pods)).toEqual(['virtual-2']);
  });

  it('has the time and revision of the cluster snapshot', () => {
    expect(input([]).snapshot).toMatchObject({ at: 5, revision: 0 });
  });
});

it('takes moving pods without validation, because they ran with their constraints', () => {
  const moving = [pendingPod('a', { nodeSelector: { 'kubernetes.io/hostname': 'x' } })];
  expect(names(preparedPods({ pending: [], moving }, environment).pods)).toEqual(['a']);
});

it('adds default spread constraints to pods without any', () => {
  const owned = pendingPod('a', { labels: { app: 'web' } });
  const defaultSpread = [
    { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' as const },
  ];
  const services = [{ metadata: { name: 's', namespace: 'default' }, spec: { selector: { app: 'web' } } }];
  const spreadSources = () => ({ services, replicationControllers: [], replicaSets: [], statefulSets: [] });
  const { pods } = preparedPods(
    { pending: [owned], moving: [] },
    { ...environment, defaultSpread, spreadSources },
  );
  expect(pods[0]?.spec.topologySpreadConstraints).toHaveLength(1);
  expect(owned.spec.topologySpreadConstraints).toBeUndefined();
});

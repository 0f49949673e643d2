import { claim, node, pendingPod } from '@karpenter/testkit/cluster-objects';
import { type PoolParts, pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { bufferPods } from '../capacity-buffers/index.ts';
import type { PodView } from '../scheduling/index.ts';
import { ClusterState, type StateEvent } from '../state/index.ts';
import { expectedPlacements, nominationText, PlanOutcomes } from './index.ts';

const condition = (type: string, status: 'True' | 'False') => ({
  type,
  status,
  reason: 'R',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

const [virtual] = bufferPods(
  {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'spare', namespace: 'default', uid: 'buffer' },
    spec: { provisioningStrategy: 'buffer.x-k8s.io/active-capacity', replicas: 1 },
  },
  { spec: { containers: [] } },
  1,
);

function outcomes(poolParts: PoolParts, ...pods: readonly PodView[]) {
  const state = new ClusterState({ kinds: [] });
  const events: StateEvent[] = [
    { type: 'applied', kind: 'NodePool', object: pool('default', poolParts) },
    { type: 'applied', kind: 'NodeClaim', object: claim('claim-1', { providerID: 'cloud://node-1' }) },
    { type: 'applied', kind: 'Node', object: node('node-1', { pool: 'default' }) },
    { type: 'applied', kind: 'NodeClaim', object: claim('claim-2', { providerID: 'cloud://node-2' }) },
    { type: 'applied', kind: 'Node', object: node('foreign') },
  ];
  for (const event of events) state.apply(event);
  return new PlanOutcomes(pods, state.snapshot(0));
}

const healthy = { conditions: [condition('NodeRegistrationHealthy', 'True')] };
const a = pendingPod('a');
const uid = a.metadata.uid;

describe('pods placed on existing nodes', () => {
  it('are nominated to the claim and the node, and nominate the node', () => {
    const { nominatedNodes, nominations, schedulingDecisions } = outcomes(healthy, a).placed([
      { node: 'node-1', pods: [uid] },
    ]);
    expect(nominatedNodes).toEqual([{ node: 'cloud://node-1', pods: [uid] }]);
    expect(nominations.map(nominationText)).toEqual([
      'Pod should schedule on: nodeclaim/claim-1, node/node-1',
    ]);
    expect(schedulingDecisions).toEqual([{ uid, placement: { nodeClaim: 'claim-1', isPoolHealthy: true } }]);
  });

  it('are nominated to the node alone if it is unmanaged', () => {
    const { nominations, schedulingDecisions } = outcomes(healthy, a).placed([
      { node: 'foreign', pods: [uid] },
    ]);
    expect(nominations.map(nominationText)).toEqual(['Pod should schedule on: node/foreign']);
    expect(schedulingDecisions).toEqual([{ uid, placement: { isPoolHealthy: false } }]);
  });

  it('do not count as placed on a healthy pool while its nodes are not known to register', () => {
    const suspect = { conditions: [condition('NodeRegistrationHealthy', 'False')] };
    const { schedulingDecisions } = outcomes(suspect, a).placed([{ node: 'node-1', pods: [uid] }]);
    expect(schedulingDecisions[0]?.placement).toMatchObject({ isPoolHealthy: false });
  });
});

describe('pods placed on nodes that are starting', () => {
  const onItsWay = (...pods: readonly PodView[]) =>
    outcomes(healthy, ...pods).expected([
      { node: 'claim-2', pods: [uid] },
      { node: 'node-1', pods: ['default/b'] },
      { node: 'foreign', pods: ['default/b'] },
    ]);

  it('are expected there, unlike those of initialized nodes', () => {
    expect(onItsWay(a, pendingPod('b'))).toEqual([{ nodeClaim: 'claim-2', pods: [uid] }]);
  });

  it('are not expected if they are virtual', () => {
    expect(onItsWay()).toEqual([]);
  });

  it('keep their places in later passes', () => {
    const state = new ClusterState({ kinds: [] });
    state.apply({ type: 'applied', kind: 'Pod', object: a });
    state.apply({ type: 'applied', kind: 'Pod', object: pendingPod('b') });
    state.apply({ type: 'launchRecorded', nodeClaim: claim('c', { version: 1 }), pods: [uid] });
    expect(expectedPlacements(state.snapshot(0))).toEqual([]);
    const launched = claim('c', { version: 2, providerID: 'cloud://c' });
    state.apply({ type: 'applied', kind: 'NodeClaim', object: launched });
    expect(expectedPlacements(state.snapshot(0))).toEqual([{ node: 'c', pods: [uid] }]);
  });
});

describe('virtual pods', () => {
  const pods = virtual === undefined ? [] : [virtual];
  const uids = pods.map(({ metadata }) => metadata.uid);

  it('produce no nominations, events or timestamps', () => {
    const nothing = { nominatedNodes: [], nominations: [], schedulingDecisions: [] };
    expect(pods).toHaveLength(1);
    expect(outcomes(healthy, ...pods).placed([{ node: 'node-1', pods: uids }])).toEqual(nothing);
    expect(outcomes(healthy, ...pods).created(uids, 'default', 'claim-2')).toEqual(nothing);
    const rejections = uids.map((pod) => ({ pod, reasons: [], message: 'no room' }));
    expect(outcomes(healthy, ...pods).rejected(rejections)).toEqual([]);
  });

  it('do not prevent the nomination of a node for real pods', () => {
    const placed = outcomes(healthy, a, ...pods).placed([{ node: 'node-1', pods: [...uids, uid] }]);
    expect(placed.nominations.map(({ pod }) => pod.metadata.name)).toEqual(['a']);
  });
});

it('nominates pods of a new NodeClaim to it', () => {
  const { nominations, schedulingDecisions } = outcomes(healthy, a).created([uid], 'default', 'claim-2');
  expect(nominations.map(nominationText)).toEqual(['Pod should schedule on: nodeclaim/claim-2']);
  expect(schedulingDecisions).toEqual([{ uid, placement: { nodeClaim: 'claim-2', isPoolHealthy: true } }]);
});

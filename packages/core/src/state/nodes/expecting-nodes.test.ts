import { boundPod, claim, node, nodePoolLabel, pendingPod } from '@karpenter/testkit/cluster-objects';
import { instanceType, planOptions, pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { type NodeClaim, nodeClaimConditions } from '../../api/index.ts';
import { plan } from '../../scheduling/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import { ClusterState } from '../cluster-state.ts';
import { isNominated } from './node-state.ts';

const zone = 'topology.kubernetes.io/zone';
const created = '2026-01-01T00:00:00Z';
const start = Date.parse(created);
const second = 1_000;
const minute = 60 * second;

/** NodeClaim `c` was created for the pods and is launched: an instance with 4 CPUs in zone a. */
function launched(...pods: readonly ClusterPod[]): ClusterState {
  const state = new ClusterState();
  state.apply({ type: 'applied', kind: 'NodePool', object: pool('default') });
  const types = [instanceType('small', { price: 1 })];
  state.apply({ type: 'instanceTypesKnown', nodePool: 'default', types });
  for (const object of pods) state.apply({ type: 'applied', kind: 'Pod', object });
  const uids = pods.map(({ metadata }) => metadata.uid);
  state.apply({ type: 'launchRecorded', nodeClaim: claim('c', { created, version: 1 }), pods: uids });
  see(state, launchedClaim('c', 2));
  return state;
}

function launchedClaim(name: string, version: number, conditions: readonly string[] = []): NodeClaim {
  const labels = { [zone]: 'a' };
  return claim(name, { created, version, providerID: `cloud://${name}`, labels, conditions });
}

const see = (state: ClusterState, object: NodeClaim) =>
  state.apply({ type: 'applied', kind: 'NodeClaim', object });
const put = (state: ClusterState, object: ClusterPod) =>
  state.apply({ type: 'applied', kind: 'Pod', object });
/** The node of `c` joins, without the labels that make it initialized. */
const join = (state: ClusterState, parts: Parameters<typeof node>[1] = {}) => {
  const labels = {
    [nodePoolLabel]: 'default',
    'karpenter.sh/registered': 'true',
    'node.kubernetes.io/instance-type': 'small',
    [zone]: 'a',
  };
  state.apply({
    type: 'applied',
    kind: 'Node',
    object: node('n', { providerID: 'cloud://c', labels, ...parts }),
  });
};
const initialized = (state: ClusterState) => {
  join(state, { pool: 'default', version: 9 });
  see(state, launchedClaim('c', 9, [nodeClaimConditions.initialized]));
};
const toPlan = (state: ClusterState, at = start) =>
  state.snapshot(at).pods.map(({ metadata }) => metadata.name);
const held = (state: ClusterState, at = start) =>
  state
    .snapshot(at)
    .heldPods.map(({ pod, cause, nodeClaim }) => `${pod.metadata.name} ${cause} ${nodeClaim}`);
const viewOf = (state: ClusterState, at = start) => state.snapshot(at).nodeStates[0]?.view;

describe('a node that is starting', () => {
  it('keeps the pods it was launched for out of plans', () => {
    const state = launched(pendingPod('p'), pendingPod('q'));
    expect(held(state)).toEqual(['p expected c', 'q expected c']);
    expect(plan(state.snapshot(start), planOptions)).toMatchObject({ placements: [], newNodes: [] });
  });

  it('counts the requests of its pods and is their node, before and after it joins', () => {
    const state = launched(pendingPod('p'), pendingPod('q'));
    const places = () => state.snapshot(start).boundPods.map(({ nodeName }) => nodeName);
    expect(viewOf(state)?.podRequests).toEqual({ cpu: '2', memory: '2Gi', pods: '2' });
    expect(places()).toEqual(['c', 'c']);
    join(state);
    expect(viewOf(state)?.podRequests).toEqual({ cpu: '2', memory: '2Gi', pods: '2' });
    expect(places()).toEqual(['n', 'n']);
  });

  it('offers other pods only the remaining room', () => {
    const state = launched(pendingPod('p', { cpu: '3' }));
    put(state, pendingPod('small', { cpu: '500m' }));
    put(state, pendingPod('large', { cpu: '2' }));
    const { placements, newNodes } = plan(state.snapshot(start), planOptions);
    expect(placements).toEqual([{ node: 'c', pods: ['default/small'] }]);
    expect(newNodes.map(({ pods }) => pods)).toEqual([['default/large']]);
  });

  it('counts its pods in their zone', () => {
    const labels = { app: 'web' };
    const spread = {
      topologyKey: zone,
      maxSkew: 1,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: labels },
    };
    const web = (name: string) => pendingPod(name, { labels, topologySpreadConstraints: [spread] });
    const state = launched(web('p'));
    const inTwoZones = instanceType('small', { price: 1, zones: ['a', 'b'] });
    state.apply({ type: 'instanceTypesKnown', nodePool: 'default', types: [inTwoZones] });
    put(state, web('q'));
    const [made, ...others] = plan(state.snapshot(start), planOptions).newNodes;
    expect(others).toEqual([]);
    expect(made?.requirements.find(({ key }) => key === zone)?.values).toEqual(['b']);
  });

  it('keeps pods that a later pass placed on it', () => {
    const state = launched(pendingPod('p'));
    put(state, pendingPod('q'));
    expect(toPlan(state)).toEqual(['q']);
    state.apply({ type: 'podsExpected', nodeClaim: 'c', pods: ['default/q'] });
    expect(toPlan(state)).toEqual([]);
    expect(viewOf(state)?.podRequests).toMatchObject({ cpu: '2' });
  });

  it('loses a pod that is recorded for another claim', () => {
    const state = launched(pendingPod('p'));
    state.apply({ type: 'launchRecorded', nodeClaim: claim('d', { created }), pods: ['default/p'] });
    expect(held(state)).toEqual(['p launching d']);
    expect(viewOf(state)?.podRequests).toEqual({});
  });

  it('is the same object until it or its pods change', () => {
    const state = launched(pendingPod('p', { version: 1 }));
    const [before] = state.snapshot(start).nodeStates;
    put(state, pendingPod('other'));
    expect(state.snapshot(start + second).nodeStates[0]).toBe(before);
    put(state, pendingPod('p', { version: 2, cpu: '2' }));
    expect(viewOf(state)?.podRequests).toMatchObject({ cpu: '2' });
  });
});

describe('expected pods', () => {
  it('are released once they are bound to any node or deleted', () => {
    const state = launched(pendingPod('p', { version: 1 }), pendingPod('q', { version: 1 }));
    put(state, { ...boundPod('p', 'elsewhere', { version: 2 }) });
    expect(held(state)).toEqual(['q expected c']);
    state.apply({ type: 'deleted', kind: 'Pod', object: pendingPod('q', { version: 2 }) });
    expect(held(state)).toEqual([]);
    expect(viewOf(state)?.podRequests).toEqual({});
  });

  it('are planned for again when the claim is gone, deleting or marked for deletion', () => {
    const deleted = launched(pendingPod('p'));
    deleted.apply({ type: 'deleted', kind: 'NodeClaim', object: launchedClaim('c', 3) });
    expect(toPlan(deleted)).toEqual(['p']);
    const deleting = launched(pendingPod('p'));
    see(deleting, claim('c', { created, version: 3, providerID: 'cloud://c', deleted: created }));
    expect(toPlan(deleting)).toEqual(['p']);
    const marked = launched(pendingPod('p'));
    marked.apply({ type: 'markedForDeletion', nodes: ['cloud://c'] });
    expect(toPlan(marked)).toEqual(['p']);
  });

  it('have 20 seconds to be bound after initialization, during which the node is nominated', () => {
    const state = launched(pendingPod('p'));
    initialized(state);
    const last = start + 20 * second - 1;
    expect(held(state, last)).toEqual(['p expected c']);
    expect(state.snapshot(last).nodeStates.map((each) => isNominated(each, last))).toEqual([true]);
    expect(toPlan(state, last + 1)).toEqual(['p']);
    expect(state.snapshot(last + 1).nodeStates.map((each) => isNominated(each, last + 1))).toEqual([false]);
    expect(plan(state.snapshot(last + 1), planOptions).placements).toHaveLength(1);
  });

  it('get another 20 seconds with each of them that is bound, because the kube-scheduler has a queue', () => {
    const [p, q] = [pendingPod('p', { version: 1 }), pendingPod('q', { version: 1 })];
    const state = launched(p, q);
    initialized(state);
    const boundAt = (name: string, lastTransitionTime: string): ClusterPod => {
      const pod = boundPod(name, 'n', { version: 10 });
      const conditions = [{ type: 'PodScheduled', status: 'True', lastTransitionTime }];
      return { ...pod, status: { ...pod.status, conditions } };
    };
    put(state, boundAt('stranger', '2026-01-01T00:00:18Z'));
    put(state, boundAt('q', '2026-01-01T00:00:15Z'));
    const last = start + 35 * second - 1;
    expect(held(state, last)).toEqual(['p expected c']);
    expect(state.snapshot(last).nodeStates.map((each) => isNominated(each, last))).toEqual([true]);
    expect(toPlan(state, last + 1)).toEqual(['p']);
  });

  it('no longer nominate the node once all of them are bound', () => {
    const state = launched(pendingPod('p', { version: 1 }));
    initialized(state);
    put(state, boundPod('p', 'elsewhere', { version: 2 }));
    expect(state.snapshot(start).nodeStates.map((each) => isNominated(each, start))).toEqual([false]);
  });

  it('are planned for again when a registered node is not initialized within 15 minutes', () => {
    const state = launched(pendingPod('p'));
    join(state);
    expect(held(state, start + 15 * minute - 1)).toEqual(['p expected c']);
    expect(toPlan(state, start + 15 * minute)).toEqual(['p']);
  });

  it('are released, the last first, when the instance is smaller than planned', () => {
    const state = launched(pendingPod('p', { cpu: '2' }), pendingPod('q', { cpu: '2' }));
    join(state, { allocatable: { cpu: '3', memory: '8Gi', pods: '10' } });
    expect(held(state)).toEqual(['p expected c']);
    expect(toPlan(state)).toEqual(['q']);
  });

  it('are released when a pod without a record takes their room', () => {
    const state = launched(pendingPod('p', { cpu: '2' }), pendingPod('q', { cpu: '2' }));
    join(state);
    put(state, boundPod('stranger', 'n', { cpu: '1' }));
    expect(toPlan(state)).toEqual(['q']);
  });

  it('wait when a pod takes their room whose own claim is not launched, and are planned for when it is', () => {
    const state = launched(pendingPod('p', { cpu: '4' }));
    put(state, pendingPod('other', { cpu: '4', version: 1 }));
    const another = claim('d', { created, version: 3 });
    state.apply({ type: 'launchRecorded', nodeClaim: another, pods: ['default/other'] });
    join(state);
    put(state, boundPod('other', 'n', { cpu: '4', version: 4 }));
    expect(held(state)).toEqual(['p expected c']);
    see(state, launchedClaim('d', 5));
    expect(held(state)).toEqual([]);
    expect(toPlan(state)).toEqual(['p']);
  });

  it('are planned for at once when a pod of another node under way takes their room', () => {
    const state = launched(pendingPod('p', { cpu: '4' }), pendingPod('q', { cpu: '1m' }));
    join(state);
    put(state, pendingPod('other', { cpu: '2', version: 1 }));
    const another = claim('d', { created, version: 3 });
    state.apply({ type: 'launchRecorded', nodeClaim: another, pods: ['default/other'] });
    see(state, launchedClaim('d', 4));
    put(state, boundPod('other', 'n', { cpu: '2', version: 5 }));
    expect(held(state)).toEqual(['q expected c']);
    expect(toPlan(state)).toEqual(['p']);
  });

  it('move to the node of an equal pod that was bound in their place', () => {
    const owner = 'ReplicaSet/web';
    const state = launched(pendingPod('p', { cpu: '4', owner }));
    put(state, pendingPod('other', { cpu: '4', owner, version: 1 }));
    const another = claim('d', { created, version: 3 });
    state.apply({ type: 'launchRecorded', nodeClaim: another, pods: ['default/other'] });
    join(state);
    put(state, boundPod('other', 'n', { cpu: '4', owner, version: 4 }));
    expect(held(state)).toEqual(['p launching d']);
    expect(viewOf(state)?.podRequests).toMatchObject({ cpu: '4' });
    see(state, launchedClaim('d', 5));
    expect(held(state)).toEqual(['p expected d']);
    expect(state.snapshot(start).nodeStates.map(({ view }) => view.podRequests['cpu'])).toEqual(['4', '4']);
  });
});

it('plans for the pods of a launched claim again when the process restarted and lost its records', () => {
  const state = new ClusterState();
  state.apply({ type: 'applied', kind: 'NodePool', object: pool('default') });
  const types = [instanceType('small', { price: 1 })];
  state.apply({ type: 'instanceTypesKnown', nodePool: 'default', types });
  put(state, pendingPod('p'));
  see(state, launchedClaim('c', 2));
  expect(plan(state.snapshot(start), planOptions)).toMatchObject({
    placements: [{ node: 'c', pods: ['default/p'] }],
    newNodes: [],
  });
});

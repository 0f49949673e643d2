import { boundPod, claim, node, pendingPod } from '@karpenter/testkit/cluster-objects';
import { describe, expect, it } from 'vitest';
import type { NodeClaim } from '../../api/index.ts';
import type { ClusterNode, ClusterPod } from '../cluster-object.ts';
import { ClusterState } from '../cluster-state.ts';
import { isNominated, type NodeState } from './node-state.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;
const startup = { key: 'cni', effect: 'NoSchedule', value: 'starting' } as const;
const dedicated = { key: 'team', effect: 'NoSchedule', value: 'a' } as const;
const unregistered = { 'karpenter.sh/registered': '', 'karpenter.sh/initialized': '' };
const uninitialized = { 'karpenter.sh/initialized': '' };

interface Objects {
  readonly nodes?: readonly ClusterNode[];
  readonly claims?: readonly NodeClaim[];
  readonly pods?: readonly ClusterPod[];
}

function stateOf({ nodes = [], claims = [], pods = [] }: Objects): ClusterState {
  const state = new ClusterState();
  for (const object of claims) state.apply({ type: 'applied', kind: 'NodeClaim', object });
  for (const object of nodes) state.apply({ type: 'applied', kind: 'Node', object });
  for (const object of pods) state.apply({ type: 'applied', kind: 'Pod', object });
  return state;
}

const nodesOf = (objects: Objects): readonly NodeState[] => stateOf(objects).snapshot(0).nodeStates;
const viewOf = (objects: Objects) => nodesOf(objects)[0]?.view;

describe('the entry of a node', () => {
  it('is keyed by provider id, or by name for an unmanaged node without one', () => {
    const nodes = [node('a'), node('b', { providerID: '' })];
    expect(nodesOf({ nodes }).map(({ id }) => id)).toEqual(['b', 'cloud://a']);
  });

  it('moves from name to provider id when that appears', () => {
    const nodes = [node('b', { providerID: '', version: 1 }), node('b', { version: 2 })];
    expect(nodesOf({ nodes }).map(({ id }) => id)).toEqual(['cloud://b']);
  });

  it('waits for the provider id of a managed node', () => {
    expect(nodesOf({ nodes: [node('a', { pool: 'p', providerID: '' })] })).toEqual([]);
  });

  it('waits for the instance type of a managed node that is not initialized', () => {
    const labels = { 'node.kubernetes.io/instance-type': '' };
    expect(nodesOf({ nodes: [node('a', { pool: 'p', labels: { ...uninitialized, ...labels } })] })).toEqual(
      [],
    );
    expect(nodesOf({ nodes: [node('a', { pool: 'p', labels })] })).toHaveLength(1);
  });

  it('joins a Node and its NodeClaim', () => {
    const both = {
      nodes: [node('a', { pool: 'p' })],
      claims: [claim('p-1', { pool: 'p', providerID: 'cloud://a' })],
    };
    const [entry, ...others] = nodesOf(both);
    expect(others).toEqual([]);
    expect([entry?.node?.metadata.name, entry?.nodeClaim?.metadata.name]).toEqual(['a', 'p-1']);
    expect(entry?.view).toMatchObject({ name: 'a', nodeClaim: 'p-1', nodePool: 'p' });
  });

  it('exists for a launched claim before its node joins, but not for an unlaunched one', () => {
    const claims = [claim('p-1', { providerID: 'cloud://a' }), claim('p-2')];
    expect(nodesOf({ claims }).map(({ view }) => view.name)).toEqual(['p-1']);
  });

  it('stays until Node and NodeClaim are both gone, even if they share a name', () => {
    const object = node('same', { pool: 'p' });
    const itsClaim = claim('same', { pool: 'p', providerID: 'cloud://same' });
    const state = stateOf({ nodes: [object], claims: [itsClaim] });
    state.apply({ type: 'deleted', kind: 'Node', object });
    expect(state.snapshot(0).nodeStates.map(({ nodeClaim }) => nodeClaim)).toEqual([itsClaim]);
    state.apply({ type: 'deleted', kind: 'NodeClaim', object: itsClaim });
    expect(state.snapshot(0).nodeStates).toEqual([]);
  });
});

describe('a node that is starting', () => {
  const providerID = 'cloud://a';

  it('has the labels and taints of its claim until it is registered', () => {
    const claims = [claim('p-1', { pool: 'p', providerID, labels: { team: 'a' }, taints: [dedicated] })];
    const before = node('a', { pool: 'p', labels: { ...unregistered, own: 'x' }, taints: [notReady] });
    expect(viewOf({ claims, nodes: [before] })).toMatchObject({
      labels: { team: 'a', 'karpenter.sh/nodepool': 'p' },
      taints: [dedicated],
    });
    const after = node('a', { pool: 'p', labels: { ...uninitialized, own: 'x' } });
    expect(viewOf({ claims, nodes: [after] })).toMatchObject({ labels: { own: 'x' }, taints: [] });
  });

  it('ignores ephemeral and startup taints until it is initialized, whatever their values', () => {
    const claims = [claim('p-1', { pool: 'p', providerID, startupTaints: [startup] })];
    const taints = [notReady, { ...startup, value: 'other' }, dedicated];
    const starting = node('a', { pool: 'p', labels: uninitialized, taints });
    expect(viewOf({ claims, nodes: [starting] })?.taints).toEqual([dedicated]);
    expect(viewOf({ claims, nodes: [node('a', { pool: 'p', taints })] })?.taints).toEqual(taints);
  });

  it('is leaving with the taint of a waiting consolidation, which it hides from plans', () => {
    const leaving = { key: 'karpenter-ts/leaving', effect: 'PreferNoSchedule' } as const;
    const view = viewOf({ nodes: [node('a', { pool: 'p', taints: [dedicated, leaving] })] });
    expect(view).toMatchObject({ isLeaving: true, taints: [dedicated] });
    expect(viewOf({ nodes: [node('a', { pool: 'p', taints: [dedicated] })] })).not.toHaveProperty(
      'isLeaving',
    );
  });

  it('keeps all taints if it has no claim, because it counts as initialized', () => {
    const [entry] = nodesOf({ nodes: [node('a', { taints: [notReady] })] });
    expect(entry).toMatchObject({ registered: true, initialized: true, view: { taints: [notReady] } });
  });

  it('has the resources of its claim where the Node reports none, until it is initialized', () => {
    const claims = [claim('p-1', { pool: 'p', providerID, capacity: { cpu: '8', 'nvidia.com/gpu': '1' } })];
    const capacity = { cpu: '4', 'nvidia.com/gpu': '0' };
    const starting = node('a', { pool: 'p', labels: uninitialized, capacity });
    expect(viewOf({ claims, nodes: [starting] })?.allocatable).toEqual({ cpu: '4', 'nvidia.com/gpu': '1' });
    expect(viewOf({ claims, nodes: [node('a', { pool: 'p', capacity })] })?.allocatable).toEqual(capacity);
    expect(viewOf({ claims })?.capacity).toEqual({ cpu: '8', 'nvidia.com/gpu': '1' });
  });
});

describe('nodes marked for deletion', () => {
  const providerID = 'cloud://a';
  const isMarked = (objects: Objects) => nodesOf(objects)[0]?.markedForDeletion;
  const deleted = '2026-01-01T00:00:00Z';

  it('are those whose claim is being deleted or whose instance is terminating', () => {
    const nodes = [node('a', { pool: 'p' })];
    expect(isMarked({ nodes, claims: [claim('p-1', { providerID })] })).toBe(false);
    expect(isMarked({ nodes, claims: [claim('p-1', { providerID, deleted })] })).toBe(true);
    expect(
      isMarked({ nodes, claims: [claim('p-1', { providerID, conditions: ['InstanceTerminating'] })] }),
    ).toBe(true);
  });

  it('are deleted Nodes without a claim; with one, the claim decides', () => {
    const nodes = [node('a', { deleted })];
    expect(isMarked({ nodes })).toBe(true);
    expect(isMarked({ nodes, claims: [claim('p-1', { providerID })] })).toBe(false);
  });

  it('are marked and unmarked by commands', () => {
    const state = stateOf({ nodes: [node('a')] });
    state.apply({ type: 'markedForDeletion', nodes: [providerID] });
    expect(state.snapshot(0).nodeStates[0]).toMatchObject({
      markedForDeletion: true,
      view: { deleting: true },
    });
    state.apply({ type: 'unmarkedForDeletion', nodes: [providerID] });
    expect(state.snapshot(0).nodeStates[0]).toMatchObject({
      markedForDeletion: false,
      view: { deleting: false },
    });
  });

  it('lose their mark with their last object', () => {
    const object = node('a');
    const state = stateOf({ nodes: [object] });
    state.apply({ type: 'markedForDeletion', nodes: [providerID] });
    state.apply({ type: 'deleted', kind: 'Node', object });
    state.apply({ type: 'applied', kind: 'Node', object: node('a', { uid: 'another' }) });
    expect(state.snapshot(0).nodeStates[0]?.markedForDeletion).toBe(false);
  });
});

describe('nominations', () => {
  it('last until they expire, and later ones never shorten them', () => {
    const state = stateOf({ nodes: [node('a')] });
    state.apply({ type: 'nominated', nodes: ['cloud://a'], until: 20_000 });
    state.apply({ type: 'nominated', nodes: ['cloud://a'], until: 10_000 });
    const [entry] = state.snapshot(0).nodeStates;
    expect([19_999, 20_000].map((at) => entry !== undefined && isNominated(entry, at))).toEqual([
      true,
      false,
    ]);
  });

  it('end as soon as every pod they are for is bound or gone', () => {
    const state = stateOf({
      nodes: [node('a'), node('b')],
      pods: [pendingPod('p', { version: 1 }), pendingPod('q', { version: 1 })],
    });
    const nominated = () => state.snapshot(0).nodeStates.map((each) => isNominated(each, 0));
    const pods = ['default/p', 'default/q'];
    state.apply({ type: 'nominated', nodes: ['cloud://a'], until: 20_000, pods });
    state.apply({ type: 'nominated', nodes: ['cloud://b'], until: 20_000, pods: ['default/q'] });
    expect(nominated()).toEqual([true, true]);
    state.apply({ type: 'applied', kind: 'Pod', object: boundPod('q', 'elsewhere', { version: 2 }) });
    expect(nominated()).toEqual([true, false]);
    state.apply({ type: 'deleted', kind: 'Pod', object: pendingPod('p', { version: 3 }) });
    expect(nominated()).toEqual([false, false]);
  });

  it('for a pod that still runs elsewhere last until they expire, as its successor has another uid', () => {
    const running = boundPod('p', 'leaving');
    const state = stateOf({ nodes: [node('a')], pods: [running] });
    state.apply({ type: 'nominated', nodes: ['cloud://a'], until: 20_000, pods: ['default/p'] });
    state.apply({ type: 'deleted', kind: 'Pod', object: running });
    const [entry] = state.snapshot(0).nodeStates;
    expect(entry?.nominatedUntil).toBe(20_000);
  });

  it('of unknown nodes are dropped', () => {
    const state = stateOf({});
    state.apply({ type: 'nominated', nodes: ['cloud://a'], until: 20_000 });
    state.apply({ type: 'applied', kind: 'Node', object: node('a') });
    expect(state.snapshot(0).nodeStates[0]?.nominatedUntil).toBeUndefined();
  });
});

it('limits volumes by the CSINode: no count means none, no allocatable means no limit', () => {
  const state = stateOf({ nodes: [node('a')] });
  const drivers = [
    { name: 'ebs', allocatable: { count: 25 } },
    { name: 'efs' },
    { name: 'odd', allocatable: {} },
  ];
  const object = { metadata: { name: 'a' }, spec: { drivers } };
  state.apply({ type: 'applied', kind: 'CSINode', object });
  expect(state.snapshot(0).nodes[0]?.volumeLimits).toEqual({ ebs: 25, odd: 0 });
  state.apply({ type: 'deleted', kind: 'CSINode', object });
  expect(state.snapshot(0).nodes[0]?.volumeLimits).toBeUndefined();
});

it('reads the offering of a node from its labels', () => {
  const labels = { 'topology.kubernetes.io/zone': 'a', 'karpenter.sh/capacity-type': 'spot' };
  const [entry] = nodesOf({ nodes: [node('a', { pool: 'p', labels })] });
  expect(entry?.offering).toEqual({ instanceType: 'm5.xlarge', zone: 'a', capacityType: 'spot' });
});

it('keeps the number of virtual pods that the last pass placed on each node', () => {
  const state = stateOf({ nodes: [node('a'), node('b')], pods: [boundPod('p', 'a')] });
  state.apply({ type: 'bufferPodsPlaced', byNode: new Map([['cloud://a', 2]]) });
  state.apply({ type: 'bufferPodsPlaced', byNode: new Map([['cloud://b', 1]]) });
  expect(state.snapshot(0).nodeStates.map(({ bufferPods }) => bufferPods)).toEqual([0, 1]);
});

import { boundPod, claim, node, pendingPod } from '@karpenter/testkit/cluster-objects';
import { instanceType, pool } from '@karpenter/testkit/snapshots';
import { describe, expect, it } from 'vitest';
import { stateKinds } from './cluster-object.ts';
import { ClusterState } from './cluster-state.ts';
import type { StateEvent } from './state-event.ts';

const deleted = '2026-01-01T00:00:00Z';

function stateAfter(...events: readonly StateEvent[]): ClusterState {
  const state = new ClusterState();
  for (const event of events) state.apply(event);
  return state;
}

const nodeEvent = (name: string): StateEvent => ({ type: 'applied', kind: 'Node', object: node(name) });
const podEvent = (name: string, on: string): StateEvent => ({
  type: 'applied',
  kind: 'Pod',
  object: boundPod(name, on),
});

describe('synced', () => {
  it('is true once every kind was listed', () => {
    const state = new ClusterState();
    for (const kind of stateKinds) {
      expect(state.synced).toBe(false);
      state.apply({ type: 'listed', kind, objects: [] });
    }
    expect(state.synced).toBe(true);
  });

  it('waits only for the kinds that are watched', () => {
    const state = new ClusterState({ kinds: ['Node'] });
    state.apply({ type: 'applied', kind: 'Node', object: node('a') });
    expect(state.synced).toBe(false);
    state.apply({ type: 'listed', kind: 'Node', objects: [node('a')] });
    expect(state.synced).toBe(true);
  });

  it('stays true while a NodeClaim launches', () => {
    const state = new ClusterState({ kinds: ['NodeClaim'] });
    state.apply({ type: 'listed', kind: 'NodeClaim', objects: [] });
    state.apply({ type: 'applied', kind: 'NodeClaim', object: claim('c') });
    expect(state.synced).toBe(true);
  });
});

describe('snapshots', () => {
  it('share every unchanged object', () => {
    const state = stateAfter(nodeEvent('a'), nodeEvent('b'), podEvent('p', 'a'), podEvent('q', 'b'));
    const before = state.snapshot(0);
    state.apply(podEvent('r', 'a'));
    const after = state.snapshot(1);
    expect(after.nodeStates[0]).not.toBe(before.nodeStates[0]);
    expect(after.nodeStates[0]?.pods[0]).toBe(before.nodeStates[0]?.pods[0]);
    expect(after.nodeStates[1]).toBe(before.nodeStates[1]);
    expect(after.nodes[1]).toBe(before.nodes[1]);
    expect(after.boundPods.filter((pod) => before.boundPods.includes(pod))).toHaveLength(2);
    for (const part of ['storage', 'namespaces', 'budgets', 'nodePools', 'instanceTypes'] as const) {
      expect(after[part]).toBe(before[part]);
    }
  });

  it('share the pool states while nothing changed', () => {
    const state = stateAfter(nodeEvent('a'));
    expect(state.snapshot(0).pools).toBe(state.snapshot(1).pools);
  });

  it('have a new revision only when something changed', () => {
    const state = stateAfter(nodeEvent('a'));
    const { revision } = state.snapshot(0);
    const object = node('a', { version: 3 });
    state.apply({ type: 'applied', kind: 'Node', object });
    state.apply({ type: 'applied', kind: 'Node', object: node('a', { version: 3 }) });
    state.apply({ type: 'applied', kind: 'Node', object: node('a', { version: 2 }) });
    state.apply({ type: 'unmarkedForDeletion', nodes: ['cloud://a'] });
    expect(state.snapshot(0).revision).toBe(revision + 1);
  });

  it('contain storage, namespaces with their name label, overlays and volume attachments', () => {
    const pvc = { metadata: { name: 'c', namespace: 'default' }, spec: { volumeName: 'v' } };
    const state = stateAfter(
      { type: 'applied', kind: 'PersistentVolumeClaim', object: pvc },
      { type: 'applied', kind: 'PersistentVolume', object: { metadata: { name: 'v' }, spec: {} } },
      { type: 'applied', kind: 'StorageClass', object: { metadata: { name: 's' }, provisioner: 'ebs' } },
      { type: 'applied', kind: 'Namespace', object: { metadata: { name: 'n', labels: { team: 'a' } } } },
      {
        type: 'applied',
        kind: 'VolumeAttachment',
        object: { metadata: { name: 'va' }, spec: { attacher: 'ebs', nodeName: 'a', source: {} } },
      },
    );
    const { storage, namespaces, volumeAttachments } = state.snapshot(0);
    expect([storage?.claims, storage?.volumes.length, storage?.classes.length]).toEqual([[pvc], 1, 1]);
    expect(namespaces.get('n')).toEqual({ 'kubernetes.io/metadata.name': 'n', team: 'a' });
    expect(volumeAttachments).toHaveLength(1);
  });

  it('contain the instance types of a pool until it has none', () => {
    const types = [instanceType('m', { price: 1 })];
    const state = stateAfter({ type: 'instanceTypesKnown', nodePool: 'p', types });
    expect(state.snapshot(0).instanceTypes.get('p')).toBe(types);
    state.apply({ type: 'instanceTypesKnown', nodePool: 'p', types: [] });
    expect(state.snapshot(0).instanceTypes.size).toBe(0);
  });
});

describe('the consolidation revision', () => {
  const base: readonly StateEvent[] = [
    nodeEvent('a'),
    podEvent('bound', 'a'),
    { type: 'applied', kind: 'NodeClaim', object: claim('known') },
    {
      type: 'applied',
      kind: 'NodePool',
      object: { ...pool('known'), metadata: { name: 'known', generation: 1 } },
    },
  ];
  const changesRevision = (event: StateEvent) => {
    const state = stateAfter(...base);
    const before = state.snapshot(0).consolidationRevision;
    state.apply(event);
    return state.snapshot(0).consolidationRevision !== before;
  };

  it.each<[string, StateEvent]>([
    ['a pod is bound', podEvent('p', 'a')],
    ['a bound pod is deleted', { type: 'deleted', kind: 'Pod', object: boundPod('bound', 'a') }],
    ['a node is created', nodeEvent('b')],
    ['a node is deleted', { type: 'deleted', kind: 'Node', object: node('a') }],
    ['a claim is created', { type: 'applied', kind: 'NodeClaim', object: claim('c') }],
    ['a claim is deleted', { type: 'deleted', kind: 'NodeClaim', object: claim('known') }],
    [
      'a claim starts deleting',
      { type: 'applied', kind: 'NodeClaim', object: claim('known', { deleted, version: 2 }) },
    ],
    [
      'a NodePool changes',
      {
        type: 'applied',
        kind: 'NodePool',
        object: { ...pool('known'), metadata: { name: 'known', generation: 2 } },
      },
    ],
    ['a node starts deleting', { type: 'applied', kind: 'Node', object: node('a', { deleted }) }],
    [
      'a node is initialized',
      {
        type: 'applied',
        kind: 'Node',
        object: node('a', { labels: { 'karpenter.sh/initialized': 'true' } }),
      },
    ],
    ['a NodePool is created', { type: 'applied', kind: 'NodePool', object: pool('p') }],
    [
      'instance types change',
      { type: 'instanceTypesKnown', nodePool: 'p', types: [instanceType('m', { price: 1 })] },
    ],
  ])('changes when %s', (_, event) => {
    expect(changesRevision(event)).toBe(true);
  });

  it.each<[string, StateEvent]>([
    ['a pod is pending', { type: 'applied', kind: 'Pod', object: pendingPod('p') }],
    [
      'a pod completes',
      { type: 'applied', kind: 'Pod', object: boundPod('bound', 'a', { phase: 'Succeeded' }) },
    ],
    ['a node gets a label', { type: 'applied', kind: 'Node', object: node('a', { labels: { x: 'y' } }) }],
    [
      'the status of a NodePool changes',
      {
        type: 'applied',
        kind: 'NodePool',
        object: { ...pool('known'), metadata: { name: 'known', generation: 1 }, status: { nodes: 1 } },
      },
    ],
    ['a command marks a node', { type: 'markedForDeletion', nodes: ['cloud://a'] }],
  ])('does not change when %s', (_, event) => {
    expect(changesRevision(event)).toBe(false);
  });
});

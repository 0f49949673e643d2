import { boundPod, claim, node, pendingPod } from '@karpenter/testkit/cluster-objects';
import { instanceType, pool } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StateKind } from './cluster-object.ts';
import { ClusterState, type StateList } from './cluster-state.ts';
import type { ListedEvent, StateEvent } from './state-event.ts';

const owner = 'ReplicaSet/web';
const created = '2026-01-01T00:00:00Z';
const now = Date.parse(created);

const types: StateEvent = {
  type: 'instanceTypesKnown',
  nodePool: 'default',
  types: [instanceType('m', { price: 1, cpu: '4' })],
};

const names = ['a', 'b', 'c'] as const;
const name = fc.constantFrom(...names);
const ids = fc.subarray(names.map((each) => `cloud://${each}`));
const claims = fc.subarray([...names]);
const uids = fc.subarray(['x', 'y', 'z']);

/** Events about three instances of the same names, at every step of their life, and the facts about them. */
const event: fc.Arbitrary<StateEvent> = fc.oneof(
  fc.record({ name, isRegistered: fc.boolean() }).map(
    ({ name: each, isRegistered }): StateEvent => ({
      type: 'applied',
      kind: 'Node',
      object: node(each, isRegistered ? { pool: 'default' } : {}),
    }),
  ),
  fc.record({ name, isLaunched: fc.boolean(), deleted: fc.constantFrom(undefined, created) }).map(
    ({ name: each, isLaunched, deleted }): StateEvent => ({
      type: 'applied',
      kind: 'NodeClaim',
      object: claim(each, {
        created,
        ...(deleted !== undefined && { deleted }),
        ...(isLaunched && { providerID: `cloud://${each}` }),
      }),
    }),
  ),
  fc.record({ uid: fc.constantFrom('x', 'y', 'z'), on: fc.option(name) }).map(
    ({ uid, on }): StateEvent => ({
      type: 'applied',
      kind: 'Pod',
      object:
        on === null ? pendingPod(uid, { cpu: '1', owner, created }) : boundPod(uid, on, { owner, cpu: '1' }),
    }),
  ),
  fc.record({ name, pods: uids }).map(
    ({ name: each, pods }): StateEvent => ({
      type: 'launchRecorded',
      nodeClaim: claim(each, { created }),
      pods,
    }),
  ),
  fc.record({ type: fc.constant('podsExpected' as const), nodeClaim: name, pods: uids }),
  fc.record({
    type: fc.constantFrom('markedForDeletion' as const, 'unmarkedForDeletion' as const),
    nodes: ids,
  }),
  fc.record({
    type: fc.constant('nominated' as const),
    nodes: ids,
    until: fc.constantFrom(now + 5, now + 10),
  }),
  fc.record({
    type: fc.constant('nominated' as const),
    nodes: ids,
    until: fc.constantFrom(now + 5, now + 10),
    pods: uids,
  }),
  fc.record({
    type: fc.constantFrom('pendingDisruption' as const, 'disruptionDropped' as const),
    nodeClaims: claims,
  }),
  fc.record({
    type: fc.constantFrom('nodesReserved' as const, 'nodesReleased' as const),
    nodePool: fc.constant('default'),
    count: fc.integer({ min: 1, max: 2 }),
  }),
  ids.map((nodes): StateEvent => ({ type: 'bufferPodsPlaced', byNode: new Map(nodes.map((id) => [id, 2])) })),
);

function restored(state: ClusterState): ClusterState {
  const { lists, facts } = state.contents();
  const other = new ClusterState();
  for (const list of lists) other.apply(listed(list));
  for (const fact of facts) other.apply(fact);
  other.apply(types);
  return other;
}

function listed<K extends StateKind>({ kind, objects }: StateList<K>): StateEvent {
  return { type: 'listed', kind, objects } as ListedEvent<K> as StateEvent;
}

/** Revisions count the events that a state has seen, which are fewer for a restored one. */
function visible(state: ClusterState) {
  const { revision: _, consolidationRevision: _changes, ...snapshot } = state.snapshot(now + 1);
  return snapshot;
}

it('a state that applies the contents of another gives the same snapshot', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40, size: 'max' }), (events) => {
      const state = new ClusterState();
      state.apply({ type: 'applied', kind: 'NodePool', object: pool('default') });
      state.apply(types);
      for (const each of events) state.apply(each);
      const copy = restored(state);
      expect(copy.synced).toBe(true);
      expect(visible(copy)).toEqual(visible(state));
      expect(restored(copy).contents()).toEqual(copy.contents());
    }),
    { numRuns: 300 },
  );
});

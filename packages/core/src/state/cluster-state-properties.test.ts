import { type BoundPodParts, boundPod, claim, node, pendingPod } from '@karpenter/testkit/cluster-objects';
import { rounds } from '@karpenter/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatQuantity, parseResourceList, podRequests, sumResources } from '../values/index.ts';
import type { StateKind, StateObjects } from './cluster-object.ts';
import { ClusterState } from './cluster-state.ts';
import { keyOf } from './collections/versioned-objects.ts';
import type { ObjectEvent, StateEvent } from './state-event.ts';

type CandidateMessage = {
  [K in StateKind]: ObjectEvent<K> & { readonly type: 'applied' | 'deleted' };
}[StateKind];

const names = ['a', 'b', 'c'] as const;
const name = fc.constantFrom(...names);
const deleted = fc.option(fc.constant('2026-01-01T00:00:00Z'), { nil: undefined });
const quantity = fc.constantFrom('100m', '1', '2500m', '1e1');
const memory = fc.constantFrom('1Gi', '500M', '1e9', '64Mi');

const nodeStep = fc
  .record({ name, pool: fc.constantFrom('p', 'q', undefined), deleted, hasProviderId: fc.boolean(), memory })
  .map(({ name, hasProviderId, memory, ...parts }) => ({
    kind: 'Node' as const,
    make: (version: number, uid: string) =>
      node(name, {
        ...parts,
        version,
        uid,
        capacity: { cpu: '4', memory },
        ...(!hasProviderId && { providerID: '' }),
      }),
  }));

const claimStep = fc
  .record({ name, pool: fc.constantFrom('p', 'q'), deleted, isLaunched: fc.boolean() })
  .map(({ name, isLaunched, ...parts }) => ({
    kind: 'NodeClaim' as const,
    make: (version: number, uid: string) =>
      claim(`claim-${name}`, {
        ...parts,
        version,
        uid,
        ...(isLaunched && { providerID: `cloud://${name}` }),
      }),
  }));

const podStep = fc
  .record({
    name: fc.constantFrom('x', 'y', 'z', 'w'),
    on: fc.option(name, { nil: undefined }),
    phase: fc.constantFrom('Running', 'Succeeded'),
    owner: fc.constantFrom('DaemonSet/d', 'ReplicaSet/r', 'StatefulSet/s'),
    cpu: quantity,
    memory,
    deleted,
  })
  .map(({ name, on, phase, ...rest }) => ({
    kind: 'Pod' as const,
    make: (version: number, uid: string) => {
      const parts: BoundPodParts = { ...rest, version, uid };
      return on === undefined ? pendingPod(name, parts) : boundPod(name, on, { ...parts, phase });
    },
  }));

const daemonStep = fc.constant({
  kind: 'DaemonSet' as const,
  make: (version: number, uid: string): StateObjects['DaemonSet'] => ({
    metadata: { name: 'd', namespace: 'default', uid, resourceVersion: String(version) },
    spec: { template: { spec: { containers: [] } } },
  }),
});

const steps = fc.array(fc.tuple(fc.oneof(nodeStep, claimStep, podStep, podStep, daemonStep), fc.boolean()), {
  maxLength: 40,
  size: 'max',
});

/**
 * An event history as an API server sends it: versions grow, an object keeps its uid until it is deleted, and
 * the next object of that name gets a new one.
 */
function history(
  choices: readonly (readonly [{ kind: CandidateMessage['kind']; make: Maker }, boolean])[],
): readonly CandidateMessage[] {
  const alive = new Map<string, { uid: string; event: CandidateMessage }>();
  let version = 0;
  return choices.flatMap(([{ kind, make }, isDeletion]) => {
    version++;
    const key = `${kind} ${keyOf(make(version, ''))}`;
    const known = alive.get(key);
    if (isDeletion && known === undefined) return [];
    const uid = known?.uid ?? `uid-${version}`;
    const event = {
      type: isDeletion ? 'deleted' : 'applied',
      kind,
      object: make(version, uid),
    } as CandidateMessage;
    if (isDeletion) alive.delete(key);
    else alive.set(key, { uid, event });
    return [event];
  });
}

type Maker = (version: number, uid: string) => CandidateMessage['object'];

const histories = steps.map((choices) => history(choices as Parameters<typeof history>[0]));

/** The objects that are left at the end, in order of creation. */
function finalObjects(events: readonly CandidateMessage[]): readonly CandidateMessage[] {
  const last = new Map<string, CandidateMessage>();
  for (const event of events) last.set(`${event.kind} ${keyOf(event.object)}`, event);
  return [...last.values()].filter(({ type }) => type === 'applied');
}

function stateAfter(events: readonly StateEvent[]): ClusterState {
  const state = new ClusterState();
  for (const event of events) state.apply(event);
  return state;
}

/** Everything except the revision counters. */
function seen(state: ClusterState) {
  const { revision: _, consolidationRevision: __, budgets: ___, ...rest } = state.snapshot(0);
  return structuredClone(rest);
}

const kinds = ['Node', 'NodeClaim', 'Pod', 'DaemonSet'] as const;

function listsOf(events: readonly CandidateMessage[]): readonly StateEvent[] {
  const all = finalObjects(events);
  return kinds.map((kind) => ({
    type: 'listed',
    kind,
    objects: all.filter((event) => event.kind === kind).map(({ object }) => object),
    resourceVersion: '1000',
  })) as readonly StateEvent[];
}

describe('the cluster state', () => {
  it('depends only on the objects, not on the order of events', () => {
    const shuffled = histories.chain((events) =>
      fc.tuple(fc.constant(events), fc.shuffledSubarray([...events], { minLength: events.length })),
    );
    fc.assert(
      fc.property(shuffled, ([events, others]) => {
        expect(seen(stateAfter(others))).toEqual(seen(stateAfter(events)));
      }),
      { numRuns: rounds({ quick: 50, full: 150 }) },
    );
  });

  it('is the same after a list as after the watch events', () => {
    fc.assert(
      fc.property(histories, (events) => {
        expect(seen(stateAfter(listsOf(events)))).toEqual(seen(stateAfter(events)));
      }),
      { numRuns: rounds({ quick: 50, full: 150 }) },
    );
  });

  it('is corrected by a list after any prefix of the watch', () => {
    const cut = fc.tuple(histories, fc.nat({ max: 40 }));
    fc.assert(
      fc.property(cut, ([events, length]) => {
        const state = stateAfter([...events.slice(0, length), ...listsOf(events)]);
        expect(seen(state)).toEqual(seen(stateAfter(events)));
      }),
      { numRuns: rounds({ quick: 50, full: 150 }) },
    );
  });

  it('does not change when events are repeated', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const state = stateAfter(events);
        const before = state.snapshot(0);
        for (const event of events) state.apply(event);
        expect(state.snapshot(0).revision).toBe(before.revision);
      }),
      { numRuns: rounds({ quick: 50, full: 150 }) },
    );
  });

  it('is empty after every object is deleted', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const state = stateAfter(events);
        for (const { kind, object } of finalObjects(events)) {
          state.apply({ type: 'deleted', kind, object } as StateEvent);
        }
        expect(seen(state)).toEqual(seen(new ClusterState()));
      }),
      { numRuns: rounds({ quick: 50, full: 150 }) },
    );
  });

  it('never changes a snapshot that was already taken', () => {
    const cut = fc.tuple(histories, fc.nat({ max: 40 }));
    fc.assert(
      fc.property(cut, ([events, length]) => {
        const state = stateAfter(events.slice(0, length));
        const snapshot = state.snapshot(0);
        const { budgets: _, ...parts } = snapshot;
        const copy = structuredClone(parts);
        for (const event of events.slice(length)) {
          state.apply(event);
          state.snapshot(1);
        }
        expect(parts).toEqual(copy);
      }),
      { numRuns: rounds({ quick: 50, full: 150 }) },
    );
  });
});

describe('running totals', () => {
  const total = (lists: readonly ReturnType<typeof parseResourceList>[]) =>
    Object.fromEntries(Object.entries(sumResources(...lists)).map(([key, { nano }]) => [key, nano]));
  const nano = (texts: Parameters<typeof parseResourceList>[0]) => total([parseResourceList(texts)]);

  it('of a node equal the sum over its pods after every event', () => {
    fc.assert(
      fc.property(histories, (events) => {
        const state = new ClusterState();
        for (const event of events) {
          state.apply(event);
          for (const { view, pods } of state.snapshot(0).nodeStates) {
            const one = parseResourceList({ pods: '1' });
            const sums = (list: typeof pods) => total(list.flatMap(({ pod }) => [podRequests(pod), one]));
            expect(nano(view.podRequests)).toEqual(sums(pods));
            expect(nano(view.daemonRequests)).toEqual(sums(pods.filter(({ isDaemon }) => isDaemon)));
          }
        }
      }),
      { numRuns: rounds({ quick: 50, full: 150 }) },
    );
  });

  it('of a pool equal the sum over its unmarked nodes, through marking and unmarking', () => {
    const marks = fc.array(
      fc.record({ type: fc.constantFrom('markedForDeletion', 'unmarkedForDeletion'), nodes: fc.array(name) }),
      { maxLength: 10, size: 'max' },
    );
    fc.assert(
      fc.property(histories, marks, (events, facts) => {
        const state = new ClusterState();
        const both = [...events].flatMap((event, index) => [event, facts[index] ?? []].flat());
        for (const event of both) {
          state.apply('nodes' in event ? markEvent(event) : event);
          const { nodeStates, pools } = state.snapshot(0);
          for (const pool of pools.values()) {
            const own = nodeStates.filter(({ view }) => view.nodePool === pool.name && !view.deleting);
            const shares = own.map(({ view }) => parseResourceList({ ...view.capacity, nodes: '1' }));
            expect(nano(pool.resources)).toEqual(total(shares));
          }
        }
      }),
      { numRuns: rounds({ quick: 50, full: 150 }) },
    );
  });

  it('and claims of a pool do not depend on how often they are read', () => {
    const fact = fc.oneof(
      fc.record({
        type: fc.constantFrom('markedForDeletion' as const, 'unmarkedForDeletion' as const),
        nodes: fc.array(name.map((one) => `cloud://${one}`)),
      }),
      fc.record({
        type: fc.constantFrom('pendingDisruption' as const, 'disruptionDropped' as const),
        nodeClaims: fc.array(name.map((one) => `claim-${one}`)),
      }),
      fc.record({
        type: fc.constantFrom('nodesReserved' as const, 'nodesReleased' as const),
        nodePool: fc.constantFrom('p', 'q'),
        count: fc.nat({ max: 2 }),
      }),
    );
    fc.assert(
      fc.property(histories, fc.array(fact, { maxLength: 40, size: 'max' }), (events, facts) => {
        const all = events.flatMap((event, index) => [event, facts[index] ?? []].flat());
        const watched = new ClusterState();
        for (const [index, event] of all.entries()) {
          watched.apply(event);
          expect(watched.snapshot(0).pools).toEqual(stateAfter(all.slice(0, index + 1)).snapshot(0).pools);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('print the same text in any order, even with mixed units', () => {
    const state = (...memories: readonly string[]) =>
      stateAfter([
        { type: 'applied', kind: 'Node', object: node('a') },
        ...memories.map(
          (memory): StateEvent => ({
            type: 'applied',
            kind: 'Pod',
            object: boundPod(`pod-${memory}`.toLowerCase(), 'a', { memory }),
          }),
        ),
      ]).snapshot(0).nodes[0]?.podRequests['memory'];
    expect(state('1Gi', '1M')).toBe(state('1M', '1Gi'));
    expect(state('1Gi', '1M')).toBe(
      formatQuantity({ nano: (2n ** 30n + 10n ** 6n) * 10n ** 9n, format: 'BinarySI' }),
    );
  });
});

function markEvent({
  type,
  nodes,
}: {
  readonly type: string;
  readonly nodes: readonly string[];
}): StateEvent {
  const ids = nodes.map((one) => `cloud://${one}`);
  return { type: type === 'markedForDeletion' ? type : 'unmarkedForDeletion', nodes: ids };
}

import type { NodePool } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { StorageView } from '../scheduling/index.ts';
import { type Labels, memoizedLast } from '../values/index.ts';
import {
  type ClusterPod,
  type Namespace,
  type StateKind,
  type StateObjects,
  stateKinds,
} from './cluster-object.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';
import { keyOf, VersionedObjects } from './collections/versioned-objects.ts';
import { mayConsolidate, type ObjectChange } from './consolidation-changes.ts';
import { kindRules, type StateKindRules } from './kind-rules.ts';
import { LaunchRecords } from './launches/launch-records.ts';
import { Launches } from './launches/launches.ts';
import { ExpectingNodes, withExpected } from './nodes/expecting-nodes.ts';
import { NodeTable } from './nodes/node-table.ts';
import { applyPlanFact } from './plan-facts.ts';
import { ClusterPods } from './pods/cluster-pods.ts';
import { DaemonPods } from './pods/daemon-pods.ts';
import { demand } from './pods/demand.ts';
import { PodBudgets } from './pods/pod-budgets.ts';
import type { PodTimes } from './pods/pod-times.ts';
import { PoolCapacities } from './pools/pool-capacities.ts';
import { PoolTracker } from './pools/pool-tracker.ts';
import { placesOf } from './snapshot-places.ts';
import type { Fact, LaunchRecorded, ListedEvent, ProcessFact, StateEvent } from './state-event.ts';

export interface ClusterStateOptions {
  /** Kinds that must be listed before the state is synced; defaults to all of them. */
  readonly kinds?: readonly StateKind[];
}

/** The contents of a state at one moment. */
export interface StateContents {
  readonly lists: readonly StateList[];
  readonly facts: readonly ProcessFact[];
}

export interface StateList<K extends StateKind = StateKind> {
  readonly kind: K;
  readonly objects: readonly StateObjects[K][];
}

type Stores = { readonly [K in StateKind]: VersionedObjects<StateObjects[K]> };

const noTypes: readonly InstanceType[] = [];

/**
 * The state of a cluster, as Karpenter's `state.Cluster`. `apply` is the only way in, `snapshot` the only way
 * out; there is no clock and no API call in it. The same objects give the same snapshot whatever order they
 * arrived in, so nothing has to be resynced or swept by timers.
 */
export class ClusterState {
  readonly #awaited: Set<StateKind>;
  readonly #stores: Stores = emptyStores();
  readonly #totals = new PoolCapacities();
  readonly #nodes = new NodeTable(this.#totals, (nodeClaim) => this.#pools.markChanged(nodeClaim));
  readonly #daemons = new DaemonPods();
  readonly #records = new LaunchRecords();
  readonly #launches = new Launches(this.#records);
  readonly #expecting = new ExpectingNodes(this.#records, this.#nodes);
  readonly #pools = new PoolTracker({ totals: this.#totals, isMarked: (id) => this.#nodes.isMarked(id) });
  readonly #pods = new ClusterPods({
    nodes: this.#nodes,
    daemons: this.#daemons,
    podNamed: (key) => this.#stores.Pod.get(key),
  });
  readonly #rules: StateKindRules = kindRules({
    nodes: this.#nodes,
    pods: this.#pods,
    daemons: this.#daemons,
    launches: this.#launches,
    pools: this.#pools,
  });
  readonly #planParts = {
    nodes: this.#nodes,
    pools: this.#pools,
    isWaiting: (uid: string) => this.#pods.isWaiting(uid),
  };
  #instanceTypes: ReadonlyMap<string, readonly InstanceType[]> = new Map();
  #revision = 0;
  #consolidationRevision = 0;
  /**
   * Counts changes to what NodePools hold. Pod changes do not count, so pool states are reused across them.
   */
  #poolRevision = 0;

  readonly #namespaces = memoizedLast(namespaceLabels);
  readonly #budgets = memoizedLast(
    (budgets: readonly StateObjects['PodDisruptionBudget'][]) => new PodBudgets(budgets),
  );
  readonly #storage = memoizedLast(
    (
      claims: StorageView['claims'],
      volumes: StorageView['volumes'],
      classes: StorageView['classes'],
    ): StorageView => ({
      claims,
      volumes,
      classes,
    }),
  );
  readonly #poolStates = memoizedLast((pools: readonly NodePool[], _revision: number) =>
    this.#pools.states(pools),
  );

  constructor({ kinds = stateKinds }: ClusterStateOptions = {}) {
    this.#awaited = new Set(kinds);
  }

  /**
   * Whether every kind was listed once. Unlike Karpenter, a NodeClaim without provider id does not unset it:
   * a launch in flight holds back its own pods, not the whole cluster.
   */
  get synced(): boolean {
    return this.#awaited.size === 0;
  }

  /**
   * Applies one event. An event that is older than what the state holds changes nothing. Throws on a pod with
   * an invalid quantity, which then changes nothing either.
   */
  apply(event: StateEvent): void {
    switch (event.type) {
      case 'applied':
        this.#put(event.kind, event.object);
        break;
      case 'deleted':
        this.#remove(event.kind, event.object);
        break;
      case 'listed':
        this.#replace(event);
        break;
      default:
        this.#applyFact(event);
    }
  }

  /** Timestamps for the pod scheduling metrics, by uid; undefined when the pod is unknown or has none yet. */
  podTimes(uid: string): PodTimes | undefined {
    return this.#pods.times(uid);
  }

  /**
   * The cluster at the instant `at`, in milliseconds since 1970. It shares every unchanged object with
   * earlier snapshots, so callers may cache by identity.
   */
  snapshot(at: number): ClusterSnapshot {
    const stores = this.#stores;
    // First, because it refreshes the entries that `#expecting` and the totals of NodePools read.
    const known = this.#nodes.states();
    const launching = this.#launches.list((pool) => this.#instanceTypes.get(pool) ?? noTypes);
    const budgets = this.#budgets(stores.PodDisruptionBudget.values());
    const namespaces = this.#namespaces(stores.Namespace.values());
    const places = placesOf(known, budgets, at);
    const expectations = this.#expecting.at(at, this.#needOf(places.moving));
    const nodeStates = withExpected(known, expectations.nodes);
    const needs = demand(
      { pending: this.#pods.pending, moving: places.moving },
      { expectations, launching, podOf: (uid) => this.#pods.byUid(uid), namespaces },
    );
    const boundPods = lazy(() => places.boundPods(needs));
    return {
      at,
      revision: this.#revision,
      consolidationRevision: this.#consolidationRevision,
      nodePools: stores.NodePool.values(),
      instanceTypes: this.#instanceTypes,
      nodes: [...nodeStates.map(({ view }) => view), ...launching.map(({ view }) => view)],
      pods: [...needs.pending, ...needs.moving],
      // Computed on first read: it lists every pod of the cluster, and most callers never look at it.
      get boundPods() {
        return boundPods();
      },
      daemonPods: this.#daemons.list(),
      namespaces,
      storage: this.#storage(
        stores.PersistentVolumeClaim.values(),
        stores.PersistentVolume.values(),
        stores.StorageClass.values(),
      ),
      nodeStates,
      launching,
      pendingPods: needs.pending,
      movingPods: needs.moving,
      heldPods: needs.held,
      pools: this.#poolStates(stores.NodePool.values(), this.#poolRevision),
      budgets,
      nodeOverlays: stores.NodeOverlay.values(),
      volumeAttachments: stores.VolumeAttachment.values(),
    };
  }

  /** As `pools` of a snapshot, without the cost of a snapshot, which lists all nodes. */
  pools(): ClusterSnapshot['pools'] {
    this.#nodes.refresh();
    return this.#poolStates(this.#stores.NodePool.values(), this.#poolRevision);
  }

  /** The known instance types of a NodePool, with overlays. */
  instanceTypesOf(nodePool: string): readonly InstanceType[] {
    return this.#instanceTypes.get(nodePool) ?? noTypes;
  }

  /**
   * Another state that applies these lists, then these facts, and knows the same instance types gives the
   * same snapshots. Timestamps for metrics are left out. The lists are not sorted: passes read them every few seconds,
   * and sorting the 200,000 pods of a large cluster would take 0.1 s each time.
   */
  contents(): StateContents {
    const lists = stateKinds.map((kind) => listOf(kind, this.#stores[kind]));
    return { lists, facts: [...this.#records.facts(), ...this.#nodes.facts(), ...this.#pools.facts()] };
  }

  /** Looks up a pod by uid among those that need a node, pending or moving. */
  #needOf(moving: readonly ClusterPod[]): (uid: string) => ClusterPod | undefined {
    const movingOf = new Map(moving.map((pod) => [pod.metadata.uid, pod]));
    return (uid) => this.#pods.pendingByUid(uid) ?? movingOf.get(uid);
  }

  #put<K extends StateKind>(kind: K, object: StateObjects[K]): void {
    const store = this.#stores[kind];
    if (!store.isNewer(object)) return;
    const before = store.get(keyOf(object));
    // The rule comes first: it throws on a pod with an invalid quantity, which must not be stored then.
    this.#rules[kind]?.put(object, before);
    store.put(object);
    this.#noteChange(kind, { before, after: object });
  }

  #remove<K extends StateKind>(kind: K, object: StateObjects[K]): void {
    const before = this.#stores[kind].remove(object);
    if (before === undefined) return;
    this.#rules[kind]?.remove(before);
    this.#noteChange(kind, { before, after: undefined });
  }

  #replace<K extends StateKind>({ kind, objects, resourceVersion }: ListedEvent<K>): void {
    const { put, removed } = this.#stores[kind].compare(objects, resourceVersion);
    for (const object of removed) this.#remove(kind, object);
    for (const object of put) this.#put(kind, object);
    this.#awaited.delete(kind);
  }

  #noteChange<K extends StateKind>(kind: K, change: ObjectChange<StateObjects[K]>): void {
    this.#revision++;
    if (kind !== 'Pod') this.#poolRevision++;
    if (mayConsolidate(kind, change)) this.#consolidationRevision++;
  }

  #applyFact(fact: Fact): void {
    switch (fact.type) {
      case 'launchRecorded':
        this.#recordLaunch(fact);
        break;
      case 'podsExpected':
        this.#expect(fact.nodeClaim, fact.pods, fact.insteadOf);
        break;
      case 'launchForgotten':
        this.#forgetLaunch(fact.nodeClaim);
        break;
      case 'instanceTypesKnown':
        this.#setInstanceTypes(fact.nodePool, fact.types);
        break;
      case 'podsAcknowledged':
        for (const uid of fact.pods) this.#pods.acknowledge(uid, fact.at);
        break;
      case 'podsDecided':
        for (const decision of fact.decisions) this.#pods.decide(decision, fact.at);
        break;
      default:
        if (!applyPlanFact(fact, this.#planParts)) return;
        this.#revision++;
        this.#poolRevision++;
    }
  }

  #recordLaunch({ nodeClaim, pods }: LaunchRecorded): void {
    this.#put('NodeClaim', nodeClaim);
    this.#expect(nodeClaim.metadata.name, pods);
  }

  /** Ignores NodeClaims that are gone or being deleted: they will never become a node for these pods. */
  #expect(nodeClaim: string, pods: readonly string[], insteadOf: readonly string[] = []): void {
    const claim = this.#stores.NodeClaim.get(nodeClaim);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
    this.#records.remove(nodeClaim, insteadOf);
    this.#records.add(nodeClaim, pods);
    this.#revision++;
  }

  /**
   * Forgets a NodeClaim whose creation failed. Once the API server has shown the claim, only a delete event
   * removes it.
   */
  #forgetLaunch(name: string): void {
    const claim = this.#stores.NodeClaim.get(name);
    if (claim !== undefined && claim.metadata.resourceVersion === undefined) this.#remove('NodeClaim', claim);
  }

  #setInstanceTypes(nodePool: string, types: readonly InstanceType[]): void {
    // The same list changes nothing, so that it does not start another search for consolidations.
    if (this.#instanceTypes.get(nodePool) === types) return;
    const known = new Map(this.#instanceTypes);
    if (types.length === 0) known.delete(nodePool);
    else known.set(nodePool, types);
    this.#instanceTypes = known;
    this.#revision++;
    // Other prices, such as those of a NodeOverlay, may make a consolidation possible.
    this.#consolidationRevision++;
  }
}

function listOf<K extends StateKind>(kind: K, store: VersionedObjects<StateObjects[K]>): StateList<K> {
  return { kind, objects: store.unsorted() };
}

/** Computes a value on first use. */
function lazy<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

function emptyStores(): Stores {
  return {
    Node: new VersionedObjects(),
    NodeClaim: new VersionedObjects(),
    NodePool: new VersionedObjects(),
    NodeOverlay: new VersionedObjects(),
    Pod: new VersionedObjects(),
    DaemonSet: new VersionedObjects(),
    PersistentVolumeClaim: new VersionedObjects(),
    PersistentVolume: new VersionedObjects(),
    StorageClass: new VersionedObjects(),
    CSINode: new VersionedObjects(),
    VolumeAttachment: new VersionedObjects(),
    PodDisruptionBudget: new VersionedObjects(),
    Namespace: new VersionedObjects(),
  };
}

/** Adds the `kubernetes.io/metadata.name` label, which the API server sets on every namespace. */
function namespaceLabels(namespaces: readonly Namespace[]): ReadonlyMap<string, Labels> {
  return new Map(
    namespaces.map(({ metadata: { name, labels } }) => [
      name,
      { 'kubernetes.io/metadata.name': name, ...labels },
    ]),
  );
}

import type { NodePool } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import type { StorageView } from '../scheduling/index.ts';
import type { Labels } from '../values/index.ts';
import {
  type ClusterPod,
  type Namespace,
  type StateKind,
  type StateObjects,
  stateKinds,
} from './cluster-object.ts';
import { ClusterPods } from './cluster-pods.ts';
import type { ClusterSnapshot } from './cluster-snapshot.ts';
import { type Change, mayConsolidate } from './consolidation-news.ts';
import { DaemonPods } from './daemon-pods.ts';
import { demand } from './demand.ts';
import { Derived } from './derived.ts';
import { ExpectingNodes, withExpected } from './expecting-nodes.ts';
import { type KindRules, kindRules } from './kind-rules.ts';
import { LaunchRecords } from './launch-records.ts';
import { Launches } from './launches.ts';
import { NodeTable } from './node-table.ts';
import { learnPlan } from './plan-facts.ts';
import { PodBudgets } from './pod-budgets.ts';
import type { PodTimes } from './pod-times.ts';
import { PoolBook } from './pool-book.ts';
import { PoolTotals } from './pool-totals.ts';
import { placesOf } from './snapshot-places.ts';
import type { Fact, LaunchRecorded, ListedEvent, StateEvent } from './state-event.ts';
import { keyOf, VersionedObjects } from './versioned-objects.ts';

export interface ClusterStateOptions {
  /** Kinds that have to be listed before the state is synced; defaults to all of them. */
  readonly kinds?: readonly StateKind[];
}

type Stores = { readonly [K in StateKind]: VersionedObjects<StateObjects[K]> };

const noTypes: readonly InstanceType[] = [];

/**
 * What is known of a cluster. Events are the only way in, snapshots the only way out; no clock, no call to
 * anybody. The same objects give the same snapshot, in whatever order they were told.
 */
export class ClusterState {
  readonly #awaited: Set<StateKind>;
  readonly #stores: Stores = emptyStores();
  readonly #totals = new PoolTotals();
  readonly #nodes = new NodeTable(this.#totals, (nodeClaim) => this.#pools.markChanged(nodeClaim));
  readonly #daemons = new DaemonPods();
  readonly #records = new LaunchRecords();
  readonly #launches = new Launches(this.#records);
  readonly #expecting = new ExpectingNodes(this.#records, this.#nodes);
  readonly #pools = new PoolBook({ totals: this.#totals, isMarked: (id) => this.#nodes.isMarked(id) });
  readonly #pods = new ClusterPods({
    nodes: this.#nodes,
    daemons: this.#daemons,
    podNamed: (key) => this.#stores.Pod.get(key),
  });
  readonly #rules: KindRules = kindRules({
    nodes: this.#nodes,
    pods: this.#pods,
    daemons: this.#daemons,
    launches: this.#launches,
    pools: this.#pools,
  });
  #instanceTypes: ReadonlyMap<string, readonly InstanceType[]> = new Map();
  #revision = 0;
  #consolidationRevision = 0;
  /** Of what NodePools have: pods come and go without it. */
  #poolRevision = 0;

  readonly #namespaces = new Derived(namespaceLabels);
  readonly #budgets = new Derived(
    (budgets: readonly StateObjects['PodDisruptionBudget'][]) => new PodBudgets(budgets),
  );
  readonly #storage = new Derived(
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
  readonly #poolStates = new Derived((pools: readonly NodePool[], _revision: number) =>
    this.#pools.states(pools),
  );

  constructor({ kinds = stateKinds }: ClusterStateOptions = {}) {
    this.#awaited = new Set(kinds);
  }

  /** Whether everything that there was at the start is known. A launch under way does not matter: its pods are held. */
  get synced(): boolean {
    return this.#awaited.size === 0;
  }

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
        this.#learn(event);
    }
  }

  /** What is known of the waiting of a pod, by its uid. */
  podTimes(uid: string): PodTimes | undefined {
    return this.#pods.times(uid);
  }

  snapshot(at: number): ClusterSnapshot {
    const stores = this.#stores;
    const known = this.#nodes.states();
    const launching = this.#launches.list((pool) => this.#instanceTypes.get(pool) ?? noTypes);
    const budgets = this.#budgets.of(stores.PodDisruptionBudget.values());
    const namespaces = this.#namespaces.of(stores.Namespace.values());
    const places = placesOf(known, budgets, at);
    const expectations = this.#expecting.at(at, this.#needOf(places.moving));
    const nodeStates = withExpected(known, expectations.nodes);
    const needs = demand(
      { pending: this.#pods.pending, moving: places.moving },
      { expectations, launching, podOf: (uid) => this.#pods.byUid(uid), namespaces },
    );
    const boundPods = once(() => places.boundPods(needs));
    return {
      at,
      revision: this.#revision,
      consolidationRevision: this.#consolidationRevision,
      nodePools: stores.NodePool.values(),
      instanceTypes: this.#instanceTypes,
      nodes: [...nodeStates.map(({ view }) => view), ...launching.map(({ view }) => view)],
      pods: [...needs.pending, ...needs.moving],
      // A list of all pods, which most who take a snapshot never look at.
      get boundPods() {
        return boundPods();
      },
      daemonPods: this.#daemons.list(),
      namespaces,
      storage: this.#storage.of(
        stores.PersistentVolumeClaim.values(),
        stores.PersistentVolume.values(),
        stores.StorageClass.values(),
      ),
      nodeStates,
      launching,
      pendingPods: needs.pending,
      movingPods: needs.moving,
      heldPods: needs.held,
      pools: this.#poolStates.of(stores.NodePool.values(), this.#poolRevision),
      budgets,
      nodeOverlays: stores.NodeOverlay.values(),
      volumeAttachments: stores.VolumeAttachment.values(),
    };
  }

  /** A pod by its uid, if it needs a node. */
  #needOf(moving: readonly ClusterPod[]): (uid: string) => ClusterPod | undefined {
    const movingOf = new Map(moving.map((pod) => [pod.metadata.uid, pod]));
    return (uid) => this.#pods.pendingByUid(uid) ?? movingOf.get(uid);
  }

  #put<K extends StateKind>(kind: K, object: StateObjects[K]): void {
    const store = this.#stores[kind];
    if (!store.isNews(object)) return;
    const before = store.get(keyOf(object));
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

  #noteChange<K extends StateKind>(kind: K, change: Change<StateObjects[K]>): void {
    this.#revision++;
    if (kind !== 'Pod') this.#poolRevision++;
    if (mayConsolidate(kind, change)) this.#consolidationRevision++;
  }

  #learn(fact: Fact): void {
    switch (fact.type) {
      case 'launchRecorded':
        this.#recordLaunch(fact);
        break;
      case 'podsExpected':
        this.#expect(fact.nodeClaim, fact.pods);
        break;
      case 'launchForgotten':
        this.#forgetLaunch(fact.nodeClaim);
        break;
      case 'instanceTypesKnown':
        this.#learnTypes(fact.nodePool, fact.types);
        break;
      case 'podsAcknowledged':
        for (const uid of fact.pods) this.#pods.acknowledge(uid, fact.at);
        break;
      case 'podsJudged':
        for (const judgement of fact.verdicts) this.#pods.judge(judgement, fact.at);
        break;
      default:
        if (!learnPlan(fact, { nodes: this.#nodes, pools: this.#pools })) return;
        this.#revision++;
        this.#poolRevision++;
    }
  }

  #recordLaunch({ nodeClaim, pods }: LaunchRecorded): void {
    this.#put('NodeClaim', nodeClaim);
    this.#expect(nodeClaim.metadata.name, pods);
  }

  /** Nothing is expected of claims that are gone, or going. */
  #expect(nodeClaim: string, pods: readonly string[]): void {
    const claim = this.#stores.NodeClaim.get(nodeClaim);
    if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return;
    this.#records.add(nodeClaim, pods);
    this.#revision++;
  }

  /** What the API server has shown is only undone by the API server. */
  #forgetLaunch(name: string): void {
    const claim = this.#stores.NodeClaim.get(name);
    if (claim !== undefined && claim.metadata.resourceVersion === undefined) this.#remove('NodeClaim', claim);
  }

  #learnTypes(nodePool: string, types: readonly InstanceType[]): void {
    if (this.#instanceTypes.get(nodePool) === types) return;
    const known = new Map(this.#instanceTypes);
    if (types.length === 0) known.delete(nodePool);
    else known.set(nodePool, types);
    this.#instanceTypes = known;
    this.#revision++;
    this.#consolidationRevision++;
  }
}

/** Works something out when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
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

/** Every namespace carries its own name, as the API server sees to. */
function namespaceLabels(namespaces: readonly Namespace[]): ReadonlyMap<string, Labels> {
  return new Map(
    namespaces.map(({ metadata: { name, labels } }) => [
      name,
      { 'kubernetes.io/metadata.name': name, ...labels },
    ]),
  );
}

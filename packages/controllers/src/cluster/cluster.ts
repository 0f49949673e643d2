import {
  type ClusterSnapshot,
  ClusterState,
  type Fact,
  type StateContents,
  type StateEvent,
  type StateKind,
  type StateObjects,
  stateKinds,
} from '@karpenter/core/state';
import type { CacheChange, ObjectCaches } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import { stateSources } from './kinds.ts';

export interface ClusterOptions {
  readonly caches: ObjectCaches;
  readonly clock: Pick<Clock, 'now'>;
  /**
   * The kinds to watch; defaults to all. Leave out kinds whose CRD may not be installed, such as NodeOverlay.
   */
  readonly kinds?: readonly StateKind[];
}

/** Called with every event, after the state has applied it. */
export type ClusterListener = (event: StateEvent) => void;

/**
 * The cluster state, fed by watch caches and by facts about this process's own actions, such as nominations.
 * All controllers share it, and it is the only way in which one controller sees what another has done before
 * the API server shows it.
 */
export class Cluster {
  readonly #state: ClusterState;
  readonly #options: ClusterOptions;
  readonly #listeners = new Set<ClusterListener>();

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#state = new ClusterState({ kinds: options.kinds ?? stateKinds });
  }

  /**
   * Whether every kind was listed once. Once true it stays true; Karpenter's turns false while any NodeClaim is
   * launching, which pauses all provisioning and disruption (ADR 0015).
   */
  get synced(): boolean {
    return this.#state.synced;
  }

  /**
   * Reads that need no snapshot: when pods were acknowledged, decided and schedulable, for the pod metrics; instance
   * types; and the usage of NodePools.
   */
  get state(): Pick<ClusterState, 'podTimes' | 'instanceTypesOf' | 'pools'> {
    return this.#state;
  }

  /**
   * The cluster now. Unchanged nodes are the same objects as in the last snapshot, so that it is cheap and readers
   * can cache by identity.
   */
  snapshot(): ClusterSnapshot {
    return this.#state.snapshot(this.#options.clock.now());
  }

  /** The objects and facts that the next snapshot is made of. */
  contents(): StateContents {
    return this.#state.contents();
  }

  /**
   * Records facts about what this process has done, before a watch can show it. Snapshots taken afterwards
   * see them, which closes the gap in which a second plan would place the same pods again.
   */
  learn(...facts: readonly Fact[]): void {
    for (const fact of facts) this.#apply(fact);
  }

  /** Calls the listener with every event until the returned function is called. */
  subscribe(listener: ClusterListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Applies changes of the caches to the state until the signal aborts. Resolves once all caches are synced.
   */
  async follow(signal?: AbortSignal): Promise<void> {
    const { kinds = stateKinds } = this.#options;
    await Promise.all(kinds.map((kind) => this.#followKind(kind, signal)));
  }

  /**
   * Subscribes before it waits for the sync, so that no change is missed. Objects may thus be applied twice,
   * which does no harm: the state compares resource versions.
   */
  async #followKind<K extends StateKind>(kind: K, signal: AbortSignal | undefined): Promise<void> {
    const cache = this.#options.caches.of(stateSources[kind]);
    const stop = cache.subscribe((change) => this.#apply(stateEvent(kind, change)));
    signal?.addEventListener('abort', stop, { once: true });
    await cache.waitForSync(signal);
    this.#apply(listed(kind, cache.list()));
  }

  #apply(event: StateEvent): void {
    this.#state.apply(event);
    for (const listener of this.#listeners) listener(event);
  }
}

function stateEvent<K extends StateKind>(
  kind: K,
  { type, object }: CacheChange<StateObjects[K] & KubeObject>,
): StateEvent {
  return { type: type === 'deleted' ? 'deleted' : 'applied', kind, object } as StateEvent;
}

function listed<K extends StateKind>(kind: K, objects: readonly StateObjects[K][]): StateEvent {
  return { type: 'listed', kind, objects } as StateEvent;
}

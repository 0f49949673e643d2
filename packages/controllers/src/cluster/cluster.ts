import {
  type ClusterSnapshot,
  ClusterState,
  type Fact,
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
  /** Kinds that the server may not have, because nobody installed them, are left out. */
  readonly kinds?: readonly StateKind[];
}

/** CandidateMessage of every change of the state, after it. */
export type ClusterListener = (event: StateEvent) => void;

/**
 * The state of the cluster, fed by watch caches and by what this process says of itself. All controllers share it:
 * it is the only thing that one of them learns from another.
 */
export class Cluster {
  readonly #state: ClusterState;
  readonly #options: ClusterOptions;
  readonly #listeners = new Set<ClusterListener>();

  constructor(options: ClusterOptions) {
    this.#options = options;
    this.#state = new ClusterState({ kinds: options.kinds ?? stateKinds });
  }

  /** Everything that there was at the start is known. */
  get synced(): boolean {
    return this.#state.synced;
  }

  get state(): Pick<ClusterState, 'podTimes'> {
    return this.#state;
  }

  /** The cluster now; cheap when little has changed since the last one. */
  snapshot(): ClusterSnapshot {
    return this.#state.snapshot(this.#options.clock.now());
  }

  /** What this process has done or found out, before the API server can tell. */
  learn(...facts: readonly Fact[]): void {
    for (const fact of facts) this.#apply(fact);
  }

  subscribe(listener: ClusterListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Follows the caches until the signal aborts, or for good; resolves when all of them are known. */
  async follow(signal?: AbortSignal): Promise<void> {
    const { kinds = stateKinds } = this.#options;
    await Promise.all(kinds.map((kind) => this.#followKind(kind, signal)));
  }

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

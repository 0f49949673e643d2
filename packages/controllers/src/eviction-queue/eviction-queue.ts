import { terminationTuning } from '@karpenter/core/api';
import type { ClusterPod } from '@karpenter/core/state';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { backoffDelay, type Enqueue, RecentMap, type Source } from '@karpenter/kube/runtime';

/** A pod to evict. */
export interface Eviction {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly nodeName: string;
  /** When the terminationGracePeriod of the node ends, in milliseconds since 1970. */
  readonly deadline: number | undefined;
}

/** Where node.termination adds the pods to evict. */
export interface Evictions {
  /** Returns at once and never throws. Callers may add the same pod again and again until it is gone. */
  add(pod: ClusterPod, node: Pick<Eviction, 'nodeName' | 'deadline'>): void;
}

const backoff = { initial: terminationTuning.minBackoff, max: terminationTuning.maxBackoff };

/** More than are evicted before the watch shows the first of them terminating. */
const maxAccepted = 1_000;

/**
 * Pods to evict, keyed by namespace, name and uid: a new pod with the name of an evicted one is another
 * entry.
 */
export class EvictionQueue implements Evictions, Source {
  readonly #evictions = new Map<string, Eviction>();
  readonly #failures = new Map<string, number>();
  /** Keys of the last evictions that the API server has accepted. */
  readonly #accepted = new RecentMap<true>(maxAccepted);
  readonly #listeners = new Set<Enqueue>();

  /**
   * Adds a pod. A pod that is already queued keeps its backoff, and is enqueued again only if its deadline
   * became earlier. As in Karpenter, of two deadlines the earlier one counts. A pod whose eviction was accepted is not
   * added again while the watch cache, which may lag, does not show it terminating.
   */
  add({ metadata }: ClusterPod, { nodeName, deadline }: Pick<Eviction, 'nodeName' | 'deadline'>): void {
    const { namespace, name, uid, deletionTimestamp } = metadata;
    const key = keyOf(metadata);
    if (deletionTimestamp === undefined && this.#accepted.get(key) === true) return;
    const present = this.#evictions.get(key);
    const eviction = { namespace, name, uid, nodeName, deadline: earlier(present?.deadline, deadline) };
    this.#evictions.set(key, eviction);
    // A draining Node adds its pods again at least once a second, which must not cut their backoff short.
    const isChanged = present === undefined || present.deadline !== eviction.deadline;
    if (isChanged) for (const enqueue of this.#listeners) enqueue(key);
  }

  /** Records that the API server accepted the eviction of a pod. */
  accepted(eviction: Eviction): void {
    this.#accepted.set(keyOf(eviction), true);
  }

  get(key: string): Eviction | undefined {
    return this.#evictions.get(key);
  }

  get size(): number {
    return this.#evictions.size;
  }

  /** Drops a pod that is evicted or gone. */
  remove(key: string): void {
    this.#evictions.delete(key);
    this.#failures.delete(key);
  }

  /** Counts a failed attempt and returns the backoff before the next: 100 ms, doubling up to 10 s. */
  nextTry(key: string): DurationMs {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return durationMs(backoffDelay(backoff, failures));
  }

  /** As a source, it enqueues pods as they are added, beginning with those already queued. */
  start(enqueue: Enqueue): () => void {
    this.#listeners.add(enqueue);
    for (const key of this.#evictions.keys()) enqueue(key);
    return () => this.#listeners.delete(enqueue);
  }
}

function keyOf({ namespace, name, uid }: Pick<Eviction, 'namespace' | 'name' | 'uid'>): string {
  return `${namespace}/${name}/${uid}`;
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

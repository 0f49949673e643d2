import { terminationTuning } from '@karpenter/core/api';
import type { ClusterPod } from '@karpenter/core/state';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { backoffDelay, type Enqueue, type Source } from '@karpenter/kube/runtime';

/** A pod that is to leave its node. */
export interface Eviction {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly nodeName: string;
  /** When the node goes, come what may, in milliseconds since 1970. */
  readonly deadline: number | undefined;
}

/** Where those who drain nodes say which pods are to go. */
export interface Evictions {
  add(pod: ClusterPod, node: Pick<Eviction, 'nodeName' | 'deadline'>): void;
}

const backoff = { initial: terminationTuning.minBackoff, max: terminationTuning.maxBackoff };

/** The pods that are to leave their nodes, until they do. A pod of the same name that came later is another one. */
export class EvictionQueue implements Evictions, Source {
  readonly #evictions = new Map<string, Eviction>();
  readonly #failures = new Map<string, number>();
  readonly #listeners = new Set<Enqueue>();

  /** A pod that is in the queue stays where it is, unless it has less time now: of two deadlines the earlier counts. */
  add({ metadata }: ClusterPod, { nodeName, deadline }: Pick<Eviction, 'nodeName' | 'deadline'>): void {
    const { namespace, name, uid } = metadata;
    const key = `${namespace}/${name}/${uid}`;
    const present = this.#evictions.get(key);
    const eviction = { namespace, name, uid, nodeName, deadline: earlier(present?.deadline, deadline) };
    this.#evictions.set(key, eviction);
    const isNews = present === undefined || present.deadline !== eviction.deadline;
    if (isNews) for (const enqueue of this.#listeners) enqueue(key);
  }

  get(key: string): Eviction | undefined {
    return this.#evictions.get(key);
  }

  get size(): number {
    return this.#evictions.size;
  }

  /** The pod goes, or is gone. */
  remove(key: string): void {
    this.#evictions.delete(key);
    this.#failures.delete(key);
  }

  /** How long to wait before the next try: longer each time. */
  nextTry(key: string): DurationMs {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    return durationMs(backoffDelay(backoff, failures));
  }

  start(enqueue: Enqueue): () => void {
    this.#listeners.add(enqueue);
    for (const key of this.#evictions.keys()) enqueue(key);
    return () => this.#listeners.delete(enqueue);
  }
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.min(a, b);
}

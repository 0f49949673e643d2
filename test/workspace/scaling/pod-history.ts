import type { Event, Pod } from 'kubernetes-types/core/v1.js';

/** A pod that took the place of another after an eviction, or of none. */
interface Life {
  /** The moments at which pods in this place were evicted, oldest first. */
  readonly evictedAt: readonly number[];
}

const unmoved: Life = { evictedAt: [] };
/** A ReplicaSet that creates no pod within this time has been scaled in and needs none. */
const mostDelayMs = 20_000;

/**
 * How often pods move. An evicted pod ends and its ReplicaSet creates another, which continues its history: of each
 * ReplicaSet, the pod that was evicted first is replaced first.
 */
export class PodHistory {
  readonly #lives = new Map<string, Life>();
  readonly #evicted = new Set<string>();
  readonly #owners = new Map<string, string>();
  readonly #waiting = new Map<string, readonly Life[]>();
  #successors = 0;

  /** Call it with all pods and all events of evictions, more often than pods are evicted. */
  observe(pods: readonly Pod[], evictions: readonly Event[], at: number): void {
    for (const { involvedObject } of evictions) this.#evict(involvedObject.uid ?? '', at);
    for (const { metadata } of pods) {
      const { uid = '', ownerReferences = [] } = metadata ?? {};
      if (this.#lives.has(uid)) continue;
      const owner = ownerReferences[0]?.uid ?? uid;
      this.#owners.set(uid, owner);
      this.#lives.set(uid, this.#successor(owner, at));
    }
  }

  /** Moves of an average place: a pod and all that replaced it. */
  get movesPerPlace(): number {
    return this.#evicted.size / Math.max(1, this.#lives.size - this.#successors);
  }

  /** The most moves that any pod made within so many milliseconds. */
  mostWithin(milliseconds: number): number {
    const counts = [...this.#lives.values(), ...[...this.#waiting.values()].flat()].flatMap(({ evictedAt }) =>
      evictedAt.map((first) => evictedAt.filter((at) => at >= first && at - first < milliseconds).length),
    );
    return Math.max(0, ...counts);
  }

  #successor(owner: string, at: number): Life {
    const waiting = (this.#waiting.get(owner) ?? []).filter(
      ({ evictedAt }) => at - (evictedAt.at(-1) ?? 0) < mostDelayMs,
    );
    const [first, ...others] = waiting;
    this.#waiting.set(owner, others);
    if (first !== undefined) this.#successors += 1;
    return first ?? unmoved;
  }

  #evict(uid: string, at: number): void {
    const owner = this.#owners.get(uid);
    if (owner === undefined || this.#evicted.has(uid)) return;
    this.#evicted.add(uid);
    const { evictedAt } = this.#lives.get(uid) ?? unmoved;
    const waiting = this.#waiting.get(owner) ?? [];
    this.#waiting.set(owner, [...waiting, { evictedAt: [...evictedAt, at] }]);
  }
}

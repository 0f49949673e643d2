/** Key of the nomination that no pod ends: it ends only at its time. */
const withoutPod = '';

/** One entry of the `nominated` facts of a node. */
export interface Nominated {
  readonly until: number;
  /** Uids; absent if the nomination ends only at `until`. */
  readonly pods?: readonly string[];
}

/**
 * Until when a node is kept for pods that a plan placed on it, by uid of the pod. Each ends with its time, or
 * as soon as its pod is bound or gone.
 */
export class Nominations {
  readonly #until = new Map<string, number>();

  /** The latest end; undefined without nominations. */
  get until(): number | undefined {
    return this.#until.size === 0 ? undefined : Math.max(...this.#until.values());
  }

  /** A later nomination never shortens an earlier one. Returns whether anything changed. */
  add(until: number, pod: string = withoutPod): boolean {
    if ((this.#until.get(pod) ?? Number.NEGATIVE_INFINITY) >= until) return false;
    this.#until.set(pod, until);
    return true;
  }

  end(pod: string): void {
    this.#until.delete(pod);
  }

  /** What `add` has to be called with to get the same nominations. */
  list(): readonly Nominated[] {
    return [...this.#until].map(([pod, until]) => (pod === withoutPod ? { until } : { until, pods: [pod] }));
  }
}

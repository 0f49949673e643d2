import type { PodRow } from './pod-row.ts';

/** Pods that have neither ended nor are being deleted. */
export interface PodCounts {
  readonly total: number;
  readonly pending: number;
  readonly running: number;
  /** Those with a node. */
  readonly bound: number;
}

/** Kept up to date pod by pod: counting a hundred thousand pods for every frame of a viewer takes too long. */
export class PodTally {
  readonly #counts = { total: 0, pending: 0, running: 0, bound: 0 };

  get counts(): PodCounts {
    return { ...this.#counts };
  }

  add(pod: PodRow | undefined): void {
    this.#count(pod, 1);
  }

  remove(pod: PodRow | undefined): void {
    this.#count(pod, -1);
  }

  addAll(counts: PodCounts): void {
    for (const name of ['total', 'pending', 'running', 'bound'] as const) this.#counts[name] += counts[name];
  }

  #count(pod: PodRow | undefined, by: number): void {
    if (pod?.requests['pods'] === undefined) return;
    this.#counts.total += by;
    if (pod.statusPhase === 'Pending') this.#counts.pending += by;
    if (pod.statusPhase === 'Running') this.#counts.running += by;
    if (pod.nodeName !== undefined) this.#counts.bound += by;
  }
}

export function podCountsOf(pods: readonly PodRow[]): PodCounts {
  const tally = new PodTally();
  for (const pod of pods) tally.add(pod);
  return tally.counts;
}

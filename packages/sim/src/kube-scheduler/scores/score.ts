import type { PodInfo } from '../pods/pod-info.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { NodeInfo } from '../state/node-info.ts';

/** How much better some of the possible nodes are than others, from 0 to 100. */
export interface Score {
  readonly weight: number;
  /** One number for each node; undefined where the nodes are all alike to the pod. */
  rate(pod: PodInfo, nodes: readonly NodeInfo[], cluster: ClusterState): readonly number[] | undefined;
}

export const best = 100;

/** Stretches numbers so that the largest becomes 100; all zero stays so. */
export function toHundred(numbers: readonly number[]): readonly number[] {
  const most = maximum(numbers);
  return most === 0 ? numbers : numbers.map((number) => Math.floor((number * best) / most));
}

export function maximum(numbers: readonly number[]): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const number of numbers) if (number > most) most = number;
  return most;
}

export function minimum(numbers: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const number of numbers) if (number < least) least = number;
  return least;
}

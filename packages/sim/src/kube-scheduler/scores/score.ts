import type { PodInfo } from '../pods/pod-info.ts';
import type { SchedulerState } from '../state/cluster-state.ts';
import type { NodeInfo } from '../state/node-info.ts';

/** One score plugin; ranks feasible nodes from 0 to 100. */
export interface Score {
  readonly weight: number;
  /** One number per node; undefined if all nodes are equal to the pod. */
  rate(pod: PodInfo, nodes: readonly NodeInfo[], cluster: SchedulerState): readonly number[] | undefined;
}

export const maxScore = 100;

/** Scales numbers so that the largest becomes 100 (DefaultNormalizeScore); all zeros stay zero. */
export function toHundred(numbers: readonly number[]): readonly number[] {
  const most = maximum(numbers);
  return most === 0 ? numbers : numbers.map((number) => Math.floor((number * maxScore) / most));
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

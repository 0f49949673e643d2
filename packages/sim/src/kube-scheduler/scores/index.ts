// The score plugins of kube-scheduler's default profile. They read SchedulerState and change nothing. Start
// with score.ts.
import type { PodInfo } from '../pods/pod-info.ts';
import type { SchedulerState } from '../state/cluster-state.ts';
import type { NodeInfo } from '../state/node-info.ts';
import { interPodAffinityScore } from './affinity-score.ts';
import {
  balancedAllocationScore,
  leastAllocatedScore,
  nodeAffinityScore,
  taintScore,
} from './node-scores.ts';
import type { Score } from './score.ts';
import { spreadScore } from './spread-score.ts';

const scores: readonly Score[] = [
  taintScore,
  nodeAffinityScore,
  leastAllocatedScore,
  spreadScore,
  interPodAffinityScore,
  balancedAllocationScore,
];

/**
 * The weighted sum of all scores per node. ImageLocality is left out, because simulated nodes have every
 * image.
 */
export function rate(pod: PodInfo, nodes: readonly NodeInfo[], cluster: SchedulerState): readonly number[] {
  const sums = nodes.map(() => 0);
  for (const { weight, rate: rateNodes } of scores) {
    const rated = rateNodes(pod, nodes, cluster);
    rated?.forEach((value, index) => {
      sums[index] = (sums[index] ?? 0) + weight * value;
    });
  }
  return sums;
}

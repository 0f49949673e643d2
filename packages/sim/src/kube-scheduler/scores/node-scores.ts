import { untolerated } from '@karpenter/core/values';
import { termPredicate } from '../pods/node-selection.ts';
import type { PodInfo } from '../pods/pod-info.ts';
import type { NodeInfo } from '../state/node-info.ts';
import { maxScore, type Score, toHundred } from './score.ts';

/** TaintToleration: prefers nodes with fewer untolerated PreferNoSchedule taints. */
export const taintScore: Score = {
  weight: 3,
  rate({ tolerations }, nodes) {
    const untoleratedCounts = nodes.map(({ taints }) => {
      if (taints.length === 0) return 0;
      return untolerated(taints, tolerations).filter(({ effect }) => effect === 'PreferNoSchedule').length;
    });
    if (untoleratedCounts.every((count) => count === 0)) return undefined;
    return toHundred(untoleratedCounts).map((count) => maxScore - count);
  },
};

/** NodeAffinity: prefers nodes that match the preferred terms. */
export const nodeAffinityScore: Score = {
  weight: 2,
  rate({ pod }, nodes) {
    const preferred = pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (preferred.length === 0) return undefined;
    const terms = preferred.map(({ preference, weight }) => ({ holds: termPredicate(preference), weight }));
    return toHundred(
      nodes.map(({ node }) => {
        let sum = 0;
        for (const { holds, weight } of terms) if (node !== undefined && holds(node)) sum += weight;
        return sum;
      }),
    );
  },
};

function freeShare(allocatable: number, requested: number): number {
  if (allocatable === 0 || requested > allocatable) return 0;
  return Math.floor(((allocatable - requested) * maxScore) / allocatable);
}

/** NodeResourcesFit with LeastAllocated: prefers nodes with more free resources. */
export const leastAllocatedScore: Score = {
  weight: 1,
  rate: (pod, nodes) =>
    nodes.map(({ allocatable, nonZeroRequests }) => {
      const cpu = freeShare(allocatable.milliCpu, nonZeroRequests.milliCpu + pod.nonZeroRequests.milliCpu);
      const memory = freeShare(allocatable.memory, nonZeroRequests.memory + pod.nonZeroRequests.memory);
      return Math.floor((cpu + memory) / 2);
    }),
};

function balance(milliCpu: number, memory: number, { allocatable }: NodeInfo): number {
  const cpuShare = allocatable.milliCpu === 0 ? 0 : Math.min(1, milliCpu / allocatable.milliCpu);
  const memoryShare = allocatable.memory === 0 ? 0 : Math.min(1, memory / allocatable.memory);
  return Math.floor((1 - Math.abs(cpuShare - memoryShare) / 2) * maxScore);
}

function balanceGain({ requests }: PodInfo, node: NodeInfo): number {
  const { milliCpu, memory } = node.requested;
  const before = balance(milliCpu, memory, node);
  const after = balance(milliCpu + requests.milliCpu, memory + requests.memory, node);
  return Math.floor(maxScore / 2 + (maxScore / 2 + after - before) / 2);
}

/**
 * NodeResourcesBalancedAllocation: prefers nodes whose CPU and memory are then used in similar proportion.
 */
export const balancedAllocationScore: Score = {
  weight: 1,
  rate: (pod, nodes) => nodes.map((node) => balanceGain(pod, node)),
};

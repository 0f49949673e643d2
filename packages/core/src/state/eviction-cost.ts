import { annotationKeys, disruptionTuning } from '../api/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import type { PodState } from './pod-state.ts';

/** How dear it is to move a pod: 1 for a usual one, more for those of high priority or deletion cost. */
export function evictionCost({ metadata, spec }: ClusterPod): number {
  const { podDeletionCostScale, podPriorityScale, minEvictionCost, maxEvictionCost } = disruptionTuning;
  const cost =
    1 +
    deletionCost(metadata.annotations?.[annotationKeys.podDeletionCost]) / podDeletionCostScale +
    (spec.priority ?? 0) / podPriorityScale;
  return Math.min(maxEvictionCost, Math.max(minEvictionCost, cost));
}

const wholeNumber = /^[+-]?\d+$/;

/** What is no number costs nothing more. */
function deletionCost(text: string | undefined): number {
  return text !== undefined && wholeNumber.test(text) ? Number(text) : 0;
}

/** How dear it is to empty a node: the node itself, and every pod that has to find another place. */
export function rescheduleCost(pods: readonly PodState[]): number {
  const costs = pods
    .filter(({ isReschedulable }) => isReschedulable)
    .map(({ pod }) => Math.max(0, evictionCost(pod)));
  return costs.reduce((sum, cost) => sum + cost, Number(disruptionTuning.baseNodeCost));
}

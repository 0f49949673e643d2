import { annotationKeys, disruptionTuning } from '../../api/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import type { PodState } from './pod-state.ts';

/**
 * Cost of evicting a pod, as in Karpenter: 1 for an average pod, more with a higher priority or
 * `pod-deletion-cost`, clamped to a fixed range.
 */
function evictionCost({ metadata, spec }: ClusterPod): number {
  const { podDeletionCostScale, podPriorityScale, minEvictionCost, maxEvictionCost } = disruptionTuning;
  const cost =
    1 +
    deletionCost(metadata.annotations?.[annotationKeys.podDeletionCost]) / podDeletionCostScale +
    (spec.priority ?? 0) / podPriorityScale;
  return Math.min(maxEvictionCost, Math.max(minEvictionCost, cost));
}

const wholeNumber = /^[+-]?\d+$/;

/** An annotation that is not an integer counts as 0. */
function deletionCost(text: string | undefined): number {
  return text !== undefined && wholeNumber.test(text) ? Number(text) : 0;
}

/**
 * Cost of draining a node, in units of an average pod: a base cost plus the cost of each reschedulable pod.
 */
export function rescheduleCost(pods: readonly PodState[]): number {
  const cost = knownCosts.get(pods) ?? sumOfCosts(pods);
  knownCosts.set(pods, cost);
  return cost;
}

/** Cached by the list of pods of a node, a new list whenever one of them changes: each search needs all nodes. */
const knownCosts = new WeakMap<readonly PodState[], number>();

function sumOfCosts(pods: readonly PodState[]): number {
  let sum: number = disruptionTuning.baseNodeCost;
  // As in Karpenter, a pod of negative cost does not make up for another.
  for (const { pod, isReschedulable } of pods) if (isReschedulable) sum += Math.max(0, evictionCost(pod));
  return sum;
}

import type { NodeState } from '../nodes/node-state.ts';
import type { PodBudgets } from './pod-budgets.ts';
import { isProtected } from './pod-protection.ts';
import type { PodState } from './pod-state.ts';

/**
 * The pods of a node that need a node elsewhere if this one is removed now. Pods that are protected by
 * do-not-disrupt or by a PodDisruptionBudget are left out until they can be evicted: capacity launched for
 * them earlier would stand idle.
 */
export function movablePods(
  { pods }: Pick<NodeState, 'pods'>,
  budgets: PodBudgets,
  at: number,
): readonly PodState[] {
  return pods.filter(
    ({ isReschedulable, pod }) => isReschedulable && !isProtected(pod, at) && !budgets.blocks(pod),
  );
}

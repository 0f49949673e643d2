import type { NodeState } from './node-state.ts';
import type { PodBudgets } from './pod-budgets.ts';
import { isProtected } from './pod-protection.ts';
import type { PodState } from './pod-state.ts';

/**
 * The pods of a node that need a place elsewhere if it goes away now. Those that ask to stay and those that no
 * eviction can move get none until they may move: capacity for them would stand empty.
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

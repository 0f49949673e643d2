import type { NodeState } from '@karpenter/core/state';
import type { ControllerContext } from '../context/index.ts';
import { hasDisruptionReason, isDisruptedTaint, unmarkDisrupted } from '../disruption-queue/index.ts';
import { isManaged, type MethodContext } from './method.ts';

/**
 * Removes the disrupted taint and the DisruptionReason condition from nodes that no command disrupts.
 * Commands live in memory, so a restart or a failed rollback leaves taints behind. Karpenter does the same at
 * the start of each loop.
 */
export async function removeStaleTaints(
  context: MethodContext & Pick<ControllerContext, 'client'>,
): Promise<void> {
  const { cluster, queue } = context;
  const queued = queue.nodes;
  const stale = cluster
    .snapshot()
    .nodeStates.filter(({ id, markedForDeletion }) => !queued.has(id) && !markedForDeletion)
    .filter((state) => isManaged(context, state))
    .flatMap(marksOf);
  await Promise.all(stale.map((marked) => unmarkDisrupted(context, marked)));
}

function marksOf({ node, nodeClaim }: NodeState) {
  if (node === undefined || nodeClaim === undefined) return [];
  // node.termination taints a deleted Node before its NodeClaim is deleted as well: that taint is not stale.
  if (node.metadata.deletionTimestamp !== undefined) return [];
  const isMarked = (node.spec?.taints ?? []).some(isDisruptedTaint) || hasDisruptionReason(nodeClaim);
  return isMarked ? [{ node: node.metadata.name, nodeClaim: nodeClaim.metadata.name }] : [];
}

import type { NodeState } from '@karpenter/core/state';
import { hasDisruptionReason, isDisruptedTaint, unmarkDisrupted } from '../disruption-queue/index.ts';
import { isOurs, type MethodContext } from './method.ts';

/** Releases nodes that a command had begun to take away and that nobody is at work on any more. */
export async function removeStaleTaints(context: MethodContext): Promise<void> {
  const { cluster, queue } = context;
  const queued = queue.nodes;
  const left = cluster
    .snapshot()
    .nodeStates.filter(({ id, markedForDeletion }) => !queued.has(id) && !markedForDeletion)
    .filter((state) => isOurs(context, state))
    .flatMap(marksOf);
  await Promise.all(left.map((marked) => unmarkDisrupted(context, marked)));
}

function marksOf({ node, nodeClaim }: NodeState) {
  if (node === undefined || nodeClaim === undefined) return [];
  // Who deletes a Node wants it tainted until its NodeClaim follows.
  if (node.metadata.deletionTimestamp !== undefined) return [];
  const isMarked = (node.spec?.taints ?? []).some(isDisruptedTaint) || hasDisruptionReason(nodeClaim);
  return isMarked ? [{ node: node.metadata.name, nodeClaim: nodeClaim.metadata.name }] : [];
}

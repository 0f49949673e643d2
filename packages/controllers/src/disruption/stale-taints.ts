import type { NodeState } from '@karpenter/core/state';
import type { ControllerContext } from '../context/index.ts';
import {
  type CommandQueue,
  hasDisruptionReason,
  isDisruptedTaint,
  unmarkDisrupted,
} from '../disruption-queue/index.ts';
import { isManaged, type MethodContext } from './method.ts';

interface StaleTaintContext extends Omit<MethodContext, 'queue'>, Pick<ControllerContext, 'client'> {
  readonly queue: Pick<CommandQueue, 'nodes' | 'abandoned' | 'release'>;
}

/**
 * Removes the disrupted taint and the DisruptionReason condition from nodes that no command disrupts.
 * Commands live in memory, so a restart, a failed start or a failed rollback leaves taints behind. Karpenter does the
 * same at the start of each loop. Throws if one cannot be removed: until then kube-scheduler treats the node as
 * disrupted, but budgets here do not count it.
 */
export async function removeStaleTaints(context: StaleTaintContext): Promise<void> {
  const { cluster, queue } = context;
  const queued = queue.nodes;
  const abandoned = [...queue.abandoned].filter((id) => !queued.has(id));
  const stale = cluster
    .snapshot()
    .nodeStates.filter(({ id, markedForDeletion }) => !queued.has(id) && !markedForDeletion)
    .filter((state) => isManaged(context, state))
    .flatMap((state) => marksOf(state, abandoned.includes(state.id)));
  await Promise.all(stale.map((marked) => unmarkDisrupted(context, marked)));
  // Not reached if a write failed, so that the next pass tries again.
  for (const id of abandoned) queue.release(id);
}

function marksOf({ node, nodeClaim }: NodeState, isAbandoned: boolean) {
  if (node === undefined || nodeClaim === undefined) return [];
  // node.termination taints a deleted Node before its NodeClaim is deleted as well: that taint is not stale.
  if (node.metadata.deletionTimestamp !== undefined) return [];
  const isMarked = (node.spec?.taints ?? []).some(isDisruptedTaint) || hasDisruptionReason(nodeClaim);
  return isMarked || isAbandoned ? [{ node: node.metadata.name, nodeClaim: nodeClaim.metadata.name }] : [];
}

import { disruptionReasons } from '@karpenter/core/api';
import type { NodeState } from '@karpenter/core/state';
import type { ControllerContext } from '../context/index.ts';
import { isLeavingTaint, markLeaving } from '../disruption-queue/index.ts';
import { isManaged, type MethodContext } from './method.ts';

/**
 * Taints the nodes of waiting consolidations, so that kube-scheduler prefers others for the pods of commands that
 * run before them, and removes the taint from nodes that no command removes any more (ADR 0069).
 */
export async function markLeavingNodes(
  context: MethodContext & Pick<ControllerContext, 'client'>,
): Promise<void> {
  const { cluster, queue, waiting } = context;
  const leaving = new Set(
    waiting
      .of(disruptionReasons.underutilized)
      .flatMap(({ command }) => command.candidates.map(({ id }) => id)),
  );
  // Nodes of running commands keep the taint, which saves a write; after a rollback the next pass removes it.
  const queued = queue.nodes;
  const changed = cluster
    .snapshot()
    .nodeStates.filter((state) => !queued.has(state.id) && isStaying(state) && isManaged(context, state))
    .filter((state) => isMarked(state) !== leaving.has(state.id));
  await Promise.all(changed.map(({ id, view }) => markLeaving(context, view.name, leaving.has(id))));
}

/** A node that is being deleted has the disrupted taint, which already keeps pods away. */
function isStaying({ node, markedForDeletion }: NodeState): boolean {
  return node !== undefined && node.metadata.deletionTimestamp === undefined && !markedForDeletion;
}

function isMarked({ node }: NodeState): boolean {
  return (node?.spec?.taints ?? []).some(isLeavingTaint);
}

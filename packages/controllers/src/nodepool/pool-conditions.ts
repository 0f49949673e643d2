import {
  conditionedObject,
  equalConditions,
  formatTimestamp,
  type NodePool,
  nodePoolConditionSet,
} from '@karpenter/core/api';
import { nodePools, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

export interface PoolCondition {
  readonly type: string;
  /** Reason and message if the condition is False; undefined if it is True. */
  readonly obstacle?: { readonly reason: string; readonly message: string } | undefined;
}

/**
 * Sets a condition of a NodePool, and with it the root condition Ready. Writes nothing when neither changes.
 */
export async function writePoolCondition(
  { client, clock }: Pick<ControllerContext, 'client' | 'clock'>,
  nodePool: NodePool,
  { type, obstacle }: PoolCondition,
): Promise<void> {
  const object = conditionedObject(nodePool);
  const now = formatTimestamp(clock.now());
  const conditions =
    obstacle === undefined
      ? nodePoolConditionSet.setTrue(object, { type, now })
      : nodePoolConditionSet.setFalse(object, { type, now, ...obstacle });
  if (equalConditions(conditions, object.conditions)) return;
  // A conflict is ignored: the watch event of the newer NodePool triggers the next reconcile.
  await writeStatus(client, nodePools, nodePool, { conditions });
}

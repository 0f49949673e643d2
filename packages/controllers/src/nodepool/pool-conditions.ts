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
  /** True without one. */
  readonly obstacle?: { readonly reason: string; readonly message: string } | undefined;
}

/** Writes a condition of a pool, and what follows from it for the pool as a whole, unless it says so already. */
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
  await writeStatus(client, nodePools, nodePool, { conditions });
}

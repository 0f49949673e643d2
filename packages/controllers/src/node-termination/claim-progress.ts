import { isDeepStrictEqual } from 'node:util';
import type { NodeClaim } from '@karpenter/core/api';
import { nodeClaims, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

/** Writes how far the departure is on the claim. Undefined where the claim changed meanwhile. */
export async function storeProgress(
  { client }: Pick<ControllerContext, 'client'>,
  before: NodeClaim,
  after: NodeClaim,
): Promise<NodeClaim | undefined> {
  const conditions = after.status?.conditions;
  if (isDeepStrictEqual(before.status?.conditions, conditions)) return before;
  return writeStatus(client, nodeClaims, before, { conditions });
}

import { isDeepStrictEqual } from 'node:util';
import type { NodeClaim } from '@karpenter/core/api';
import { nodeClaims, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

/**
 * Writes the conditions of a claim if they changed. Undefined when the claim changed meanwhile; the caller
 * retries.
 */
export async function storeConditions(
  { client }: Pick<ControllerContext, 'client'>,
  before: NodeClaim,
  after: NodeClaim,
): Promise<NodeClaim | undefined> {
  const conditions = after.status?.conditions;
  if (isDeepStrictEqual(before.status?.conditions, conditions)) return before;
  return writeStatus(client, nodeClaims, before, { conditions });
}

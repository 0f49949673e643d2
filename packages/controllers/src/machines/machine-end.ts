import { type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import { isTrue, withTrue } from '@karpenter/core/lifecycle';
import { isMachineNotFound } from '@karpenter/core/ports';
import { nodeClaims, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

/**
 * Tells the cloud to take the machine of a claim away; whether it is gone. That the end has begun is written on the
 * claim; where that fails it is tried again with the next call, which there is until the machine is gone.
 */
export async function endMachine(
  { client, cloud, clock }: Pick<ControllerContext, 'client' | 'cloud' | 'clock'>,
  claim: NodeClaim,
): Promise<boolean> {
  try {
    await cloud.delete(claim);
  } catch (error) {
    if (isMachineNotFound(error)) return true;
    throw error;
  }
  if (isTrue(claim, nodeClaimConditions.instanceTerminating)) return false;
  const { status } = withTrue(claim, nodeClaimConditions.instanceTerminating, clock.now());
  await writeStatus(client, nodeClaims, claim, { conditions: status?.conditions });
  return false;
}

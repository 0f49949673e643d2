import { type NodeClaim, nodeClaimConditions } from '@karpenter/core/api';
import { isTrue, withTrue } from '@karpenter/core/lifecycle';
import type { Termination } from '@karpenter/core/ports';
import { nodeClaims, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

/**
 * Requests the termination of a NodeClaim's instance. Callers repeat the call until the result is `gone`. The first
 * call also sets the condition InstanceTerminating; if that write conflicts, a later call repeats it.
 */
export async function terminateInstance(
  { client, cloud, clock }: Pick<ControllerContext, 'client' | 'cloud' | 'clock'>,
  claim: NodeClaim,
): Promise<Termination> {
  // Before the condition, which says that the cloud provider has accepted the request.
  const termination = await cloud.delete(claim);
  if (termination === 'gone' || isTrue(claim, nodeClaimConditions.instanceTerminating)) return termination;
  const { status } = withTrue(claim, nodeClaimConditions.instanceTerminating, clock.now());
  await writeStatus(client, nodeClaims, claim, { conditions: status?.conditions });
  return termination;
}

import { labelKeys, type NodeClaim, type NodePool, nodeClaimConditions } from '@karpenter/core/api';
import { conditionOf } from '@karpenter/core/lifecycle';
import type { RegistrationResult } from '@karpenter/core/provisioning';
import type { WatchCache } from '@karpenter/kube/cache';
import type { RegistrationFailure, RegistrationHealth } from '../registration-health/index.ts';

export interface RegistrationRecording {
  readonly health: Pick<RegistrationHealth, 'record'>;
  readonly nodePools: WatchCache<NodePool>;
}

/**
 * Records for the NodePool of a claim whether the claim registered. The owner reference is compared by uid: a
 * claim of a deleted NodePool says nothing about a new NodePool with the same name.
 */
export async function recordRegistration(
  { health, nodePools }: RegistrationRecording,
  claim: NodeClaim,
  result: RegistrationResult,
): Promise<void> {
  const { metadata } = claim;
  const name = metadata.labels?.[labelKeys.nodePool];
  const nodePool = name === undefined ? undefined : nodePools.get({ name });
  if (nodePool === undefined) return;
  const isOwner = (metadata.ownerReferences ?? []).some(({ uid }) => uid === nodePool.metadata.uid);
  const registration = { result, ...(metadata.uid !== undefined && { claim: metadata.uid }) };
  if (isOwner) await health.record(nodePool, registration, launchFailure(claim));
}

/** Why the launch failed; undefined for a claim whose instance launched and did not register. */
function launchFailure(claim: NodeClaim): RegistrationFailure | undefined {
  const launched = conditionOf(claim, nodeClaimConditions.launched);
  if (launched === undefined || launched.status === 'True') return undefined;
  return { reason: launched.reason, message: launched.message };
}

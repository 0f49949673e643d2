import { labelKeys, type NodeClaim, type NodePool, nodeClaimConditions } from '@karpenter/core/api';
import { conditionOf } from '@karpenter/core/lifecycle';
import type { RegistrationResult } from '@karpenter/core/provisioning';
import type { WatchCache } from '@karpenter/kube/cache';
import type { RegistrationFailure, RegistrationHealth } from '../registration-health/index.ts';

export interface RegistrationRecording {
  readonly health: Pick<RegistrationHealth, 'record'>;
  readonly nodePools: WatchCache<NodePool>;
}

/** Tells of a claim whether it became a node; a claim of an earlier NodePool of the same name says nothing of this one. */
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

/** A claim that never had a machine says why; one that had could not register. */
function launchFailure(claim: NodeClaim): RegistrationFailure | undefined {
  const launched = conditionOf(claim, nodeClaimConditions.launched);
  if (launched === undefined || launched.status === 'True') return undefined;
  return { reason: launched.reason, message: launched.message };
}

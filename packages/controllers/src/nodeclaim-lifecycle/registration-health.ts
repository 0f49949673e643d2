import { labelKeys, type NodeClaim, type NodePool } from '@karpenter/core/api';
import type { WatchCache } from '@karpenter/kube/cache';
import type { RegistrationHealth } from '../registration-health/index.ts';

/** Tells of a claim whether it became a node; a claim of an earlier NodePool of the same name says nothing of this one. */
export async function recordRegistration(
  {
    health,
    nodePools,
  }: { readonly health: Pick<RegistrationHealth, 'record'>; readonly nodePools: WatchCache<NodePool> },
  { metadata }: NodeClaim,
  outcome: 'success' | 'failure',
): Promise<void> {
  const name = metadata.labels?.[labelKeys.nodePool];
  const nodePool = name === undefined ? undefined : nodePools.get({ name });
  if (nodePool === undefined) return;
  const isOwn = (metadata.ownerReferences ?? []).some(({ uid }) => uid === nodePool.metadata.uid);
  if (isOwn) await health.record(nodePool, outcome);
}

import { labelKeys, type NodeClaim, type NodePool } from '@karpenter/core/api';
import type { WatchCache } from '@karpenter/kube/cache';

/** Where it is kept whether the nodes of a NodePool join. */
export interface RegistrationHealth {
  record(nodePoolUid: string, outcome: 'success' | 'failure'): void | Promise<void>;
}

/** Tells of a claim whether it became a node; a claim of an earlier NodePool of the same name says nothing of this one. */
export async function recordRegistration(
  { health, nodePools }: { readonly health: RegistrationHealth; readonly nodePools: WatchCache<NodePool> },
  { metadata }: NodeClaim,
  outcome: 'success' | 'failure',
): Promise<void> {
  const name = metadata.labels?.[labelKeys.nodePool];
  const uid = name === undefined ? undefined : nodePools.get({ name })?.metadata.uid;
  const isOwn = (metadata.ownerReferences ?? []).some((owner) => owner.uid === uid);
  if (uid !== undefined && isOwn) await health.record(uid, outcome);
}

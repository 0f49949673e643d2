import { type NodeClaim, nodeClaimConditions } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import { isTrue } from './claim-status.ts';
import { isReady } from './initialization.ts';

export interface LostInstanceInput {
  readonly claim: NodeClaim;
  /** All Nodes with the provider id of the claim. */
  readonly nodes: readonly ClusterNode[];
  /** Provider ids of the instances that the cloud lists and is not terminating. */
  readonly instances: ReadonlySet<string>;
}

/**
 * Whether the instance of a registered claim is gone without this process having terminated it. A ready Node
 * is evidence against it, since the list of instances may be stale. Unregistered claims are left to their
 * timeout.
 */
export function hasLostInstance({ claim, nodes, instances }: LostInstanceInput): boolean {
  const { metadata, status } = claim;
  if (metadata.deletionTimestamp !== undefined || !isTrue(claim, nodeClaimConditions.registered))
    return false;
  if (instances.has(status?.providerID ?? '')) return false;
  const [node, another] = nodes;
  // As in Karpenter, several Nodes with one provider id prove nothing, so the claim counts as lost.
  return node === undefined || another !== undefined || !isReady(node);
}

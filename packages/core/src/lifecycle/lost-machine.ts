import { type NodeClaim, nodeClaimConditions } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import { isTrue } from './claim-status.ts';
import { isReady } from './initialization.ts';

export interface LostMachineInput {
  readonly claim: NodeClaim;
  /** All that have the machine's provider id. */
  readonly nodes: readonly ClusterNode[];
  /** Provider ids of the machines that the cloud has and is not taking away. */
  readonly machines: ReadonlySet<string>;
}

/**
 * Whether the machine of a claim has gone behind everybody's back. A node that is ready says otherwise, and what a
 * cloud lists may be old; a claim that never joined is left to its timeout.
 */
export function hasLostMachine({ claim, nodes, machines }: LostMachineInput): boolean {
  const { metadata, status } = claim;
  if (metadata.deletionTimestamp !== undefined || !isTrue(claim, nodeClaimConditions.registered))
    return false;
  if (machines.has(status?.providerID ?? '')) return false;
  const [node, another] = nodes;
  return node === undefined || another !== undefined || !isReady(node);
}

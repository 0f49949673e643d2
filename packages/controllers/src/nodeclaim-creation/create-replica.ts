import { type NodeClaim, type NodePool, nodeClaimMetrics } from '@karpenter/core/api';
import { staticNodeClaim } from '@karpenter/core/provisioning';
import type { ControllerContext } from '../context/index.ts';
import { nameSuffix } from './name-suffix.ts';
import { recordedCreate } from './recorded-create.ts';

export type ReplicaContext = Pick<ControllerContext, 'client' | 'cluster' | 'meters' | 'log' | 'vocabulary'>;

/**
 * Creates a NodeClaim of a static NodePool: for no pods, with any of its instance types. Throws if that
 * fails.
 */
export async function createReplica(
  context: ReplicaContext,
  nodePool: NodePool,
  reason: string,
): Promise<NodeClaim> {
  const { name } = nodePool.metadata;
  const { policy } = context.vocabulary;
  const make = () => staticNodeClaim({ nodePool, policy, suffix: nameSuffix() });
  const created = await recordedCreate(context, make, []);
  context.meters.increment(nodeClaimMetrics.created, { reason, nodepool: name, min_values_relaxed: 'false' });
  context.log.info('created nodeclaim', { NodePool: { name }, NodeClaim: { name: created.metadata.name } });
  return created;
}

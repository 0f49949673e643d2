import { controllerNames, type NodePool, nodeClaimMetrics, reconcilePeriods } from '@karpenter/core/api';
import { grantedReplicas, isPoolReady, staticBalance, staticNodeClaim } from '@karpenter/core/provisioning';
import type { Again, Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { nameSuffix, recordedCreate } from '../nodeclaim-creation/index.ts';
import { poolController } from '../nodepool/index.ts';
import { errorFields } from '../operator/index.ts';
import { claimsOfPools, isStatic } from './static-pools.ts';

export type StaticContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'cluster' | 'meters' | 'log' | 'vocabulary'
>;

const later: Again = { requeueAfter: reconcilePeriods.staticNodePool };
const atLimit: Again = { requeueAfter: reconcilePeriods.staticNodePoolAtLimit };

/** Makes NodeClaims until a static pool has as many as it is to have, whatever the pods. */
export function staticProvisioning(context: StaticContext): Runnable {
  const { caches, cloud } = context;
  return poolController({
    name: controllerNames.staticProvisioning,
    caches,
    cloud,
    sources: [claimsOfPools(caches)],
    reconcile: async (nodePool) => {
      if (!isStatic(nodePool) || nodePool.metadata.deletionTimestamp !== undefined) return undefined;
      return isPoolReady(nodePool) && context.cluster.synced ? provision(context, nodePool) : later;
    },
  });
}

async function provision(context: StaticContext, nodePool: NodePool): Promise<Again> {
  const { cluster, log } = context;
  const { name } = nodePool.metadata;
  const state = cluster.snapshot().pools.get(name);
  if (state === undefined) return later;
  const { current, desired, missing } = staticBalance(nodePool, state);
  if (missing === 0) return later;
  const count = grantedReplicas(nodePool, state, missing);
  if (count === 0) {
    log.info('nodepool node limit reached', { NodePool: { name } });
    return atLimit;
  }
  log.info('provisioning nodeclaims to satisfy replica count', {
    current,
    desired,
    'provision-count': count,
  });
  cluster.learn({ type: 'nodesReserved', nodePool: name, count });
  await Promise.all(Array.from({ length: count }, () => createReplica(context, nodePool)));
  return later;
}

/** What was reserved for the claim is given back once it counts itself, or never will. */
async function createReplica(context: StaticContext, nodePool: NodePool): Promise<void> {
  const { cluster, vocabulary, meters, log } = context;
  const { name } = nodePool.metadata;
  const make = () => staticNodeClaim({ nodePool, policy: vocabulary.policy, suffix: nameSuffix() });
  const creating = recordedCreate(context, make, []);
  cluster.learn({ type: 'nodesReleased', nodePool: name, count: 1 });
  try {
    const { metadata } = await creating;
    meters.increment(nodeClaimMetrics.created, {
      reason: 'provisioned',
      nodepool: name,
      min_values_relaxed: 'false',
    });
    log.info('created nodeclaim', { NodePool: { name }, NodeClaim: { name: metadata.name } });
  } catch (error) {
    log.error('failed creating nodeclaim', { NodePool: { name }, ...errorFields(error) });
  }
}

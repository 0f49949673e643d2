import { controllerNames, type NodePool, provisionedReason, reconcilePeriods } from '@karpenter/core/api';
import { grantedReplicas, isPoolReady, staticBalance } from '@karpenter/core/provisioning';
import type { Again, Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { createReplica } from '../nodeclaim-creation/index.ts';
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
  await Promise.all(Array.from({ length: count }, () => createReserved(context, nodePool)));
  return later;
}

/** What was reserved for the claim is given back once it counts itself, or never will. */
async function createReserved(context: StaticContext, nodePool: NodePool): Promise<void> {
  const { cluster, log } = context;
  const { name } = nodePool.metadata;
  const creating = createReplica(context, nodePool, provisionedReason);
  cluster.learn({ type: 'nodesReleased', nodePool: name, count: 1 });
  try {
    await creating;
  } catch (error) {
    log.error('failed creating nodeclaim', { NodePool: { name }, ...errorFields(error) });
  }
}

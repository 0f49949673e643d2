import {
  controllerNames,
  type NodeClaim,
  type NodePool,
  provisionedReason,
  reconcilePeriods,
} from '@karpenter/core/api';
import { grantedReplicas, isPoolReady, staticBalance } from '@karpenter/core/provisioning';
import type { PoolState } from '@karpenter/core/state';
import type { ReconcileResult, Runnable } from '@karpenter/kube/runtime';
import { nodeClaims } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { createReplica } from '../nodeclaim-creation/index.ts';
import { poolController } from '../nodepool/index.ts';
import { errorFields } from '../operator/index.ts';
import { LaunchBackoff, type LaunchOutcome } from './launch-backoff.ts';
import { claimsOfPools, isStatic } from './static-pools.ts';

export type StaticContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'cluster' | 'meters' | 'log' | 'clock' | 'vocabulary'
>;

const requeue: ReconcileResult = { requeueAfter: reconcilePeriods.staticNodePool };
/** The shorter period while the node limit of the NodePool is reached. */
const atLimit: ReconcileResult = { requeueAfter: reconcilePeriods.staticNodePoolAtLimit };

/** Creates NodeClaims until a static NodePool has `replicas` of them, whatever pods need. */
export function staticProvisioning(context: StaticContext): Runnable {
  const { caches, cloud, clock } = context;
  const backoff = new LaunchBackoff(clock);
  return poolController({
    name: controllerNames.staticProvisioning,
    caches,
    cloud,
    sources: [claimsOfPools(caches)],
    reconcile: async (nodePool) => {
      if (!isStatic(nodePool) || nodePool.metadata.deletionTimestamp !== undefined) return undefined;
      // NodeClaims that are not listed yet do not count, so replicas would be created for them a second time.
      return isPoolReady(nodePool) && context.cluster.synced
        ? provision(context, nodePool, backoff)
        : requeue;
    },
    gone: (name) => backoff.forget(name),
  });
}

/**
 * Creates the missing NodeClaims at the same time. Their nodes are reserved in the cluster state first, so that
 * static drift does not use the same room under the node limit before the claims themselves count.
 */
async function provision(
  context: StaticContext,
  nodePool: NodePool,
  backoff: LaunchBackoff,
): Promise<ReconcileResult> {
  const { caches, cluster, log } = context;
  const { name } = nodePool.metadata;
  const state = cluster.snapshot().pools.get(name);
  if (state === undefined) return requeue;
  const delay = backoff.observe(nodePool, (claim) =>
    launchOutcome(caches.of(nodeClaims).get({ name: claim }), claim, state),
  );
  const { current, desired, missing } = staticBalance(nodePool, state);
  if (missing === 0) return requeue;
  if (delay > 0) return { requeueAfter: delay };
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
  const created = await Promise.all(Array.from({ length: count }, () => createReserved(context, nodePool)));
  backoff.created(nodePool, created.flat());
  return requeue;
}

/** A NodeClaim that was just created is in the state before the watch brings it into the cache. */
function launchOutcome(claim: NodeClaim | undefined, name: string, { claims }: PoolState): LaunchOutcome {
  if (claim === undefined) return Object.values(claims).flat().includes(name) ? 'launching' : 'failed';
  if ((claim.status?.providerID ?? '') !== '') return 'launched';
  return claim.metadata.deletionTimestamp === undefined ? 'launching' : 'failed';
}

/**
 * Creates one claim and returns its name, or nothing if that fails. The reservation is released before the
 * await: `createReplica` records the launch in the cluster state synchronously, so the claim itself counts
 * against the limit by then.
 */
async function createReserved(context: StaticContext, nodePool: NodePool): Promise<readonly string[]> {
  const { cluster, log } = context;
  const { name } = nodePool.metadata;
  const creating = createReplica(context, nodePool, provisionedReason);
  cluster.learn({ type: 'nodesReleased', nodePool: name, count: 1 });
  try {
    const { metadata } = await creating;
    return [metadata.name];
  } catch (error) {
    log.error('failed creating nodeclaim', { NodePool: { name }, ...errorFields(error) });
    return [];
  }
}

import { controllerNames, type NodePool, reconcilePeriods } from '@karpenter/core/api';
import { deprovisioningOrder, staticBalance } from '@karpenter/core/provisioning';
import { isNotFound } from '@karpenter/kube/client';
import type { ReconcileResult, Runnable } from '@karpenter/kube/runtime';
import { nodeClaims } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { poolController } from '../nodepool/index.ts';
import { claimsOfPools, isStatic, poolOf } from './static-pools.ts';

export type DeprovisioningContext = Pick<
  ControllerContext,
  'client' | 'caches' | 'cloud' | 'cluster' | 'clock' | 'log'
>;

const requeue: ReconcileResult = { requeueAfter: reconcilePeriods.staticNodePool };

/**
 * Deletes NodeClaims of a static NodePool that has more than `replicas`: first claims that never launched,
 * then empty nodes, then the nodes that are cheapest to disrupt.
 */
export function staticDeprovisioning(context: DeprovisioningContext): Runnable {
  const { caches, cloud } = context;
  const deleted = new DeletedClaims();
  return poolController({
    name: controllerNames.staticDeprovisioning,
    caches,
    cloud,
    sources: [claimsOfPools(caches)],
    reconcile: async (nodePool) => {
      if (!isStatic(nodePool) || nodePool.metadata.deletionTimestamp !== undefined) return undefined;
      await deprovision(context, nodePool, deleted);
      return requeue;
    },
  });
}

async function deprovision(
  { client, caches, cluster, clock, log }: DeprovisioningContext,
  nodePool: NodePool,
  deleted: DeletedClaims,
): Promise<void> {
  const { name } = nodePool.metadata;
  const { pools, nodeStates } = cluster.snapshot();
  const state = pools.get(name);
  if (state === undefined) return;
  const active = state.claims.active.filter((claim) => !deleted.has(claim));
  const { current, desired, surplus } = staticBalance(nodePool, { claims: { ...state.claims, active } });
  if (surplus === 0) return;
  const staying = new Set(active);
  const claims = caches
    .of(nodeClaims, { nodePool: poolOf })
    .byIndex('nodePool', name)
    .filter(({ metadata }) => staying.has(metadata.name));
  const leaving = deprovisioningOrder(claims, nodeStates, clock.now()).slice(0, surplus);
  log.info('deprovisioning nodeclaims to satisfy replica count', {
    current,
    desired,
    'deprovision-count': leaving.length,
  });
  await Promise.all(
    leaving.map(async ({ metadata }) => {
      await deleteClaim(client, metadata.name);
      deleted.add(metadata.name);
    }),
  );
}

async function deleteClaim(client: DeprovisioningContext['client'], name: string): Promise<void> {
  try {
    await client.delete(nodeClaims, { name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/**
 * Names of claims that this controller deleted. The watch may not have shown the deletion yet, and without
 * this the next reconcile would delete further claims in their place. Names are random, so they are never
 * used again.
 */
class DeletedClaims {
  readonly #names = new Set<string>();

  add(name: string): void {
    this.#names.add(name);
    const [oldest] = this.#names;
    if (this.#names.size > maxNames && oldest !== undefined) this.#names.delete(oldest);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }
}

const maxNames = 10_000;

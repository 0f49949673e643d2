import { controllerNames, type NodePool, reconcilePeriods } from '@karpenter/core/api';
import {
  equalTotals,
  type NodePoolTotals,
  nodeClassKindOf,
  nodePoolTotals,
} from '@karpenter/core/provisioning';
import type { Runnable } from '@karpenter/kube/runtime';
import { nodePools, writeStatus } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';

type CounterContext = Pick<ControllerContext, 'client' | 'caches' | 'cloud' | 'cluster'>;

/**
 * Writes the node count and the resource totals of each NodePool to its status, for all NodePools from one
 * snapshot every five seconds.
 */
export function nodePoolCounter({ client, caches, cloud, cluster }: CounterContext): Runnable {
  const pools = caches.of(nodePools);
  return {
    singleton: {
      name: controllerNames.nodePoolCounter,
      reconcile: async () => {
        if (!cluster.synced) return { requeueAfter: reconcilePeriods.nodePoolCounterUnsynced };
        const { pools: states } = cluster.snapshot();
        const managed = pools
          .list()
          .filter(
            ({ spec }) => nodeClassKindOf(spec.template.spec.nodeClassRef, cloud.nodeClasses) !== undefined,
          );
        await Promise.all(
          managed.map(async (nodePool) => {
            const totals = nodePoolTotals(states.get(nodePool.metadata.name)?.resources);
            if (equalTotals(totals, nodePool.status ?? {})) return;
            // A conflict is ignored: the next run, five seconds later, compares again.
            await writeStatus(client, nodePools, nodePool, {
              ...totals,
              resources: merged(totals, nodePool),
            });
          }),
        );
        return { requeueAfter: reconcilePeriods.nodePoolCounter };
      },
    },
  };
}

/** Sets resources that no node has any more to null: a merge patch would keep them. */
function merged({ resources }: NodePoolTotals, { status }: NodePool): object {
  const gone = Object.keys(status?.resources ?? {}).filter((name) => !(name in resources));
  return { ...resources, ...Object.fromEntries(gone.map((name) => [name, null])) };
}

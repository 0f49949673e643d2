import { controllerNames, nodePoolMetrics, reconcilePeriods } from '@karpenter/core/api';
import { poolCosts } from '@karpenter/core/provisioning';
import type { Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { GaugeSet } from '../gauges/index.ts';

/** Publishes the hourly cost of each NodePool, and counts a node once when its price becomes unknown. */
export function poolCostGauges({ cluster, meters }: Pick<ControllerContext, 'cluster' | 'meters'>): Runnable {
  const gauges = new GaugeSet(meters);
  let unpriced: ReadonlySet<string> = new Set();
  return {
    singleton: {
      name: controllerNames.pricingState,
      reconcile: async () => {
        const costs = poolCosts(cluster.snapshot());
        const missing = new Set<string>();
        for (const [nodepool, cost] of costs) {
          gauges.show(nodepool, [{ gauge: nodePoolMetrics.cost, labels: { nodepool }, value: cost.perHour }]);
          for (const id of cost.unpriced) {
            missing.add(id);
            if (!unpriced.has(id)) meters.increment(nodePoolMetrics.costTrackerErrors, { nodepool });
          }
        }
        gauges.keep(new Set(costs.keys()));
        unpriced = missing;
        return { requeueAfter: reconcilePeriods.nodePoolMetrics };
      },
    },
  };
}

import { controllerNames, nodePoolMetrics, reconcilePeriods } from '@karpenter/core/api';
import { parseResourceList, type QuantityTexts, toNumber } from '@karpenter/core/values';
import type { Runnable } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { type GaugeReading, GaugeSet } from '../gauges/index.ts';
import { poolController } from '../nodepool/index.ts';

const requeue = { requeueAfter: reconcilePeriods.nodePoolMetrics };

/** Publishes limits and usage of each NodePool, from its spec and status. */
export function nodePoolGauges({
  caches,
  cloud,
  meters,
}: Pick<ControllerContext, 'caches' | 'cloud' | 'meters'>): Runnable {
  const gauges = new GaugeSet(meters);
  return poolController({
    name: controllerNames.nodePoolMetrics,
    caches,
    cloud,
    reconcile: async ({ metadata: { name }, spec, status }) => {
      gauges.show(name, [
        ...amounts(nodePoolMetrics.limit, name, spec.limits),
        ...amounts(nodePoolMetrics.usage, name, status?.resources),
      ]);
      return requeue;
    },
    gone: (name) => gauges.forget(name),
  });
}

function amounts(
  gauge: (typeof nodePoolMetrics)['limit' | 'usage'],
  nodepool: string,
  resources: QuantityTexts | undefined,
): readonly GaugeReading[] {
  return Object.entries(parseResourceList(resources)).map(([resource, quantity]) => ({
    gauge,
    labels: { nodepool, resource_type: resource },
    value: toNumber(quantity),
  }));
}

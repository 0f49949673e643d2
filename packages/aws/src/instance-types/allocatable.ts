import type { InstanceType } from '@karpenter/core/ports';
import {
  parseResourceList,
  type ResourceList,
  subtractResources,
  sumResources,
} from '@karpenter/core/values';

/**
 * Capacity minus overhead: what pods, DaemonSets included,
 * can use. Negative for types smaller than their overhead.
 */
export function allocatableOf({
  capacity,
  overhead,
}: Pick<InstanceType, 'capacity' | 'overhead'>): ResourceList {
  const reserved = [overhead.kubeReserved, overhead.systemReserved, overhead.evictionThreshold];
  return subtractResources(
    parseResourceList(capacity),
    sumResources(...reserved.map((amounts) => parseResourceList(amounts))),
  );
}

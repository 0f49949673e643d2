import type { InstanceType } from '@karpenter/core/ports';
import {
  parseResourceList,
  type ResourceList,
  subtractResources,
  sumResources,
} from '@karpenter/core/values';

/** What is left for pods and daemons; below zero where a machine is too small for what is kept of it. */
export function allocatableOf({
  capacity,
  overhead,
}: Pick<InstanceType, 'capacity' | 'overhead'>): ResourceList {
  const kept = [overhead.kubeReserved, overhead.systemReserved, overhead.evictionThreshold];
  return subtractResources(
    parseResourceList(capacity),
    sumResources(...kept.map((amounts) => parseResourceList(amounts))),
  );
}

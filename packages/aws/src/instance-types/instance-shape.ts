import type { InstanceType } from '@karpenter/core/ports';
import { capacityOf } from './capacity.ts';
import type { DescribedType } from './described-type.ts';
import type { NodeFacts, SizeSettings } from './node-facts.ts';
import { overheadOf } from './overhead.ts';

/** Capacity and overhead of a node. */
export type InstanceShape = Pick<InstanceType, 'capacity' | 'overhead'>;

/**
 * Computes the shape of a node. Discovered memory replaces the estimate in the capacity only: eviction
 * thresholds in percent still apply to the estimate, as in Karpenter.
 */
export function instanceShape(
  type: DescribedType,
  facts: NodeFacts,
  settings: SizeSettings,
  discoveredMemory?: string,
): InstanceShape {
  const capacity = capacityOf(type, facts, settings);
  return {
    capacity: discoveredMemory === undefined ? capacity : { ...capacity, memory: discoveredMemory },
    overhead: overheadOf(type, facts, settings, capacity),
  };
}

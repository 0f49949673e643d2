import type { InstanceType } from '@karpenter/core/ports';
import { capacityOf } from './capacity.ts';
import type { DescribedType } from './described-type.ts';
import type { NodeFacts, SizeSettings } from './node-facts.ts';
import { overheadOf } from './overhead.ts';

/** How large a node of a type is, and what is kept of it. */
export type InstanceShape = Pick<InstanceType, 'capacity' | 'overhead'>;

/**
 * A discovered memory takes the place of the estimate in the capacity alone: thresholds in percent go on being
 * shares of the estimate.
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

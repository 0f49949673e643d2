import type { NodePool } from '../api/index.ts';
import {
  compareQuantities,
  formatQuantity,
  parseResourceList,
  type QuantityTexts,
  resourceAmount,
} from '../values/index.ts';

export interface ExceededLimit {
  readonly resource: string;
  readonly limit: string;
  readonly usage: string;
}

/**
 * The first resource, by name, of which a pool uses more than its limit. Using exactly the limit is allowed.
 */
export function exceededLimit(
  { spec }: Pick<NodePool, 'spec'>,
  usage: QuantityTexts,
): ExceededLimit | undefined {
  const limits = parseResourceList(spec.limits, 'spec.limits');
  const used = parseResourceList(usage, 'status.resources');
  for (const [resource, limit] of Object.entries(limits).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const amount = resourceAmount(used, resource);
    if (compareQuantities(amount, limit) > 0) {
      return { resource, limit: formatQuantity(limit), usage: formatQuantity(amount) };
    }
  }
  return undefined;
}

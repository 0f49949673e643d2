import { lifecycleTuning, type NodeClaim, nodeClaimConditions } from '../api/index.ts';
import type { ClusterNode } from '../state/index.ts';
import {
  formatQuantity,
  isZeroQuantity,
  parseResourceList,
  resourceAmount,
  toNumber,
} from '../values/index.ts';
import { isTrue } from './claim-status.ts';

/**
 * Resources of which an initialized node has too little compared with its claim, one message each. Only
 * resources that pods requested count.
 */
export function inconsistencies(claim: NodeClaim, node: ClusterNode): readonly string[] {
  const { metadata, spec, status } = claim;
  if (metadata.deletionTimestamp !== undefined || !isTrue(claim, nodeClaimConditions.initialized)) return [];
  const requests = parseResourceList(spec.resources?.requests, 'spec.resources.requests');
  const expected = parseResourceList(status?.capacity, 'status.capacity');
  const found = parseResourceList(node.status?.capacity, 'node.status.capacity');
  return Object.entries(expected).flatMap(([name, amount]) => {
    if (isZeroQuantity(resourceAmount(requests, name)) || isZeroQuantity(amount)) return [];
    const actual = resourceAmount(found, name);
    const share = toNumber(actual) / toNumber(amount);
    if (share >= lifecycleTuning.consistencyTolerance) return [];
    const [wanted, got] = [formatQuantity(amount), formatQuantity(actual)];
    return [
      `expected ${wanted} of resource ${name}, but found ${got} (${(share * 100).toFixed(1)}% of expected)`,
    ];
  });
}

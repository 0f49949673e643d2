import type { PageNode } from '@karpenter/core/page-api';

/** Dollars per hour now, over the nodes whose price is known. */
export interface ClusterCost {
  readonly hourly: number;
  /** What the same nodes would cost on demand. */
  readonly onDemandHourly: number;
  readonly spotHourly: number;
  readonly byPool: ReadonlyMap<string, number>;
  readonly byCapacityType: ReadonlyMap<string, number>;
  /** Nodes whose price nobody knows. */
  readonly unpriced: number;
  readonly isEstimated: boolean;
}

/** Nodes without a NodePool or capacity type are counted under this name. */
export const noName = '';

export function costOf(nodes: Iterable<PageNode>): ClusterCost {
  const byPool = new Map<string, number>();
  const byCapacityType = new Map<string, number>();
  const sums = { hourly: 0, onDemandHourly: 0, spotHourly: 0, unpriced: 0 };
  let isEstimated = false;
  for (const { price, phase, nodePool = noName, capacityType = noName } of nodes) {
    // A NodeClaim without an instance costs nothing.
    if (price === undefined && phase !== 'launching') sums.unpriced += 1;
    if (price === undefined) continue;
    sums.hourly += price.hourly;
    sums.onDemandHourly += price.onDemand ?? price.hourly;
    if (capacityType === 'spot') sums.spotHourly += price.hourly;
    isEstimated ||= price.isEstimated === true;
    add(byPool, nodePool, price.hourly);
    add(byCapacityType, capacityType, price.hourly);
  }
  return { ...sums, byPool, byCapacityType, isEstimated };
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

/** Share of the cost that goes to spot nodes, 0 to 1. */
export function spotShare({ hourly, spotHourly }: ClusterCost): number {
  return hourly === 0 ? 0 : spotHourly / hourly;
}

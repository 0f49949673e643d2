import { type Amounts, addAmounts, noAmounts } from './amounts.ts';
import type { NodeRow } from './node-row.ts';

/** Sums over nodes; what it says of money covers the nodes whose price is known. */
export interface Totals {
  readonly nodes: number;
  readonly pods: number;
  readonly allocatable: Amounts;
  readonly requested: Amounts;
  /** Dollars per hour. */
  readonly hourly: number;
  /** What the same nodes would cost on demand. */
  readonly onDemandHourly: number;
  /** Dollars per hour for spot nodes. */
  readonly spotHourly: number;
  /** Nodes without a known price. */
  readonly unpriced: number;
}

/** Hours of a month as AWS bills count them: 8,760 / 12. */
export const hoursPerMonth = 730;

const noTotals: Totals = {
  nodes: 0,
  pods: 0,
  allocatable: noAmounts,
  requested: noAmounts,
  hourly: 0,
  onDemandHourly: 0,
  spotHourly: 0,
  unpriced: 0,
};

export function totalsOf(nodes: Iterable<NodeRow>): Totals {
  let totals = noTotals;
  for (const node of nodes) totals = withNode(totals, node);
  return totals;
}

/** The value to group by; nodes without one are grouped under the empty text. */
export function totalsBy(
  nodes: Iterable<NodeRow>,
  keyOf: (node: NodeRow) => string | undefined,
): ReadonlyMap<string, Totals> {
  const groups = new Map<string, Totals>();
  for (const node of nodes) {
    const key = keyOf(node) ?? '';
    groups.set(key, withNode(groups.get(key) ?? noTotals, node));
  }
  return groups;
}

function withNode(totals: Totals, { pods, allocatable, requested, price, capacityType }: NodeRow): Totals {
  const hourly = price?.hourly ?? 0;
  return {
    nodes: totals.nodes + 1,
    pods: totals.pods + pods.length,
    allocatable: addAmounts(totals.allocatable, allocatable),
    requested: addAmounts(totals.requested, requested),
    hourly: totals.hourly + hourly,
    onDemandHourly: totals.onDemandHourly + (price?.onDemand ?? hourly),
    spotHourly: totals.spotHourly + (capacityType === 'spot' ? hourly : 0),
    unpriced: totals.unpriced + (price === undefined ? 1 : 0),
  };
}

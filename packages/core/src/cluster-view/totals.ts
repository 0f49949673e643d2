import type { Amounts } from './amounts.ts';
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

export function totalsOf(nodes: Iterable<NodeRow>): Totals {
  const totals = emptyTotals();
  for (const node of nodes) addNode(totals, node);
  return totals;
}

/** The value to group by; nodes without one are grouped under the empty text. */
export function totalsBy(
  nodes: Iterable<NodeRow>,
  keyOf: (node: NodeRow) => string | undefined,
): ReadonlyMap<string, Totals> {
  const groups = new Map<string, MutableTotals>();
  for (const node of nodes) {
    const key = keyOf(node) ?? '';
    const totals = groups.get(key) ?? emptyTotals();
    addNode(totals, node);
    groups.set(key, totals);
  }
  return groups;
}

/** Added to in place: a viewer sums thousands of nodes ten times a second. */
type MutableTotals = { -readonly [K in keyof Totals]: Totals[K] } & {
  allocatable: Record<string, number>;
  requested: Record<string, number>;
};

function emptyTotals(): MutableTotals {
  return {
    nodes: 0,
    pods: 0,
    allocatable: {},
    requested: {},
    hourly: 0,
    onDemandHourly: 0,
    spotHourly: 0,
    unpriced: 0,
  };
}

function addNode(
  totals: MutableTotals,
  { pods, allocatable, requested, price, capacityType }: NodeRow,
): void {
  const hourly = price?.hourly ?? 0;
  totals.nodes += 1;
  totals.pods += pods.length;
  addInto(totals.allocatable, allocatable);
  addInto(totals.requested, requested);
  totals.hourly += hourly;
  totals.onDemandHourly += price?.onDemand ?? hourly;
  totals.spotHourly += capacityType === 'spot' ? hourly : 0;
  totals.unpriced += price === undefined ? 1 : 0;
}

function addInto(sum: Record<string, number>, amounts: Amounts): void {
  for (const name in amounts) sum[name] = (sum[name] ?? 0) + (amounts[name] ?? 0);
}

/** Prices that differ by no more than this are equal: sums of the same prices differ by rounding with their order. */
const precision = 1e-9;

/**
 * Default for what a node costs besides its instance, in dollars per hour: its root volume ($0.003 for 30 GiB), a
 * public address ($0.005) and agents. Without it, two small nodes win over one large node to save a tenth of a cent;
 * with more, nodes become too large (ADR 0057).
 */
export const nodeOverheadPrice = 0.01;

/** What a set of new nodes costs. */
export interface Cost {
  /** Dollars an hour. */
  readonly price: number;
  readonly nodes: number;
}

/** Below zero where the first price is lower, above zero where the second is, zero where they are equal. */
export function comparePrices(a: number, b: number): number {
  const difference = a - b;
  // Infinity minus Infinity is NaN, so that two infinite prices are equal.
  return Math.abs(difference) > precision ? difference : 0;
}

/** The lower price is better; of equal prices, fewer nodes. Callers keep the first of equal costs, in a fixed order. */
export function compareCosts(a: Cost, b: Cost): number {
  return comparePrices(a.price, b.price) || a.nodes - b.nodes;
}

export function sumOfCosts(costs: readonly Cost[]): Cost {
  return costs.reduce((sum, { price, nodes }) => ({ price: sum.price + price, nodes: sum.nodes + nodes }), {
    price: 0,
    nodes: 0,
  });
}

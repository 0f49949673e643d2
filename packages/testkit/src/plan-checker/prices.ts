import type { CheckedCluster } from './cluster.ts';
import type { NewLocation, ReachableType } from './location.ts';
import type { Violation } from './violation.ts';

/** Smaller differences come from adding the same prices in another order. */
const precision = 1e-9;

function isBelow(a: number, b: number): boolean {
  return a < b - precision * Math.max(1, Math.abs(b));
}

/** Cheapest of the available offerings that the node's requirements allow. */
function cheapestPrice({ offers }: ReachableType): number {
  return offers.reduce((least, { price }) => Math.min(least, price), Number.POSITIVE_INFINITY);
}

/**
 * The price of a node is that of its cheapest launch, and its instance types are in order of their cheapest.
 */
export function checkPrices({ name, planned, types }: NewLocation): Violation[] {
  const prices = types.map(cheapestPrice);
  const cheapest = Math.min(...prices);
  const violations: Violation[] = [];
  if (prices.length > 0 && (isBelow(planned.price, cheapest) || isBelow(cheapest, planned.price))) {
    const detail = `node ${name} gives ${planned.price} as its price, while its cheapest offering costs ${cheapest}`;
    violations.push({ rule: 'price', node: name, detail });
  }
  const misplaced = prices.findIndex((price, i) => i > 0 && isBelow(price, prices[i - 1] ?? price));
  if (misplaced > 0) {
    const detail = `node ${name} lists ${types[misplaced]?.type.name} after the more expensive ${types[misplaced - 1]?.type.name}`;
    violations.push({ rule: 'price-order', node: name, detail });
  }
  return violations;
}

/**
 * Number of distinct values of a label over the listed types, regardless of which offerings are still usable.
 */
export function distinctValues(key: string, types: readonly ReachableType[]): number {
  const values = new Set<string>();
  for (const { type } of types) {
    const rule = type.rules.get(key);
    if (rule !== undefined && !rule.complement) for (const value of rule.values) values.add(value);
  }
  return values.size;
}

export function checkMinValues(
  { name, pool, planned, types }: NewLocation,
  cluster: CheckedCluster,
): Violation[] {
  const minimums = new Map(cluster.options.minValuesPolicy === 'Strict' ? pool.minValues : []);
  for (const { key, minValues } of planned.requirements) {
    if (minValues !== undefined) minimums.set(key, Math.max(minimums.get(key) ?? 0, minValues));
  }
  return [...minimums].flatMap(([key, minimum]): Violation[] => {
    const count = distinctValues(key, types);
    if (count >= minimum) return [];
    const detail = `node ${name} must leave ${minimum} values of ${key} to choose from and leaves ${count}`;
    return [{ rule: 'min-values', node: name, detail }];
  });
}

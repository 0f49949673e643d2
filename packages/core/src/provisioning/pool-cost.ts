import { labelKeys } from '../api/index.ts';
import type { InstanceType, Offering } from '../ports/index.ts';
import type { ClusterSnapshot, OfferingLabels } from '../state/index.ts';

export interface PoolCost {
  /** Sum over the nodes with a known price, in dollars per hour. */
  readonly perHour: number;
  /** Ids of nodes whose offering is not listed, so their price is unknown. */
  readonly unpriced: readonly string[];
}

/** The hourly cost of each pool's nodes. Pools whose instance types are not known yet are left out. */
export function poolCosts({
  nodeStates,
  instanceTypes,
}: Pick<ClusterSnapshot, 'nodeStates' | 'instanceTypes'>): ReadonlyMap<string, PoolCost> {
  const costs = new Map<string, { perHour: number; unpriced: string[] }>();
  for (const { id, view, offering, nodeClaim } of nodeStates) {
    const types = instanceTypes.get(view.nodePool ?? '');
    if (view.nodePool === undefined || types === undefined || nodeClaim === undefined) continue;
    const cost = costs.get(view.nodePool) ?? { perHour: 0, unpriced: [] };
    const price = pricesOf(types).get(offeringKey(offering));
    if (price === undefined) cost.unpriced.push(id);
    else cost.perHour += price;
    costs.set(view.nodePool, cost);
  }
  return costs;
}

const priceCache = new WeakMap<readonly InstanceType[], ReadonlyMap<string, number>>();

/** Ignores availability: a running node costs its price even if no more can be launched. */
function pricesOf(types: readonly InstanceType[]): ReadonlyMap<string, number> {
  const cached = priceCache.get(types);
  if (cached !== undefined) return cached;
  const prices = new Map<string, number>();
  for (const { name, offerings } of types) {
    for (const offering of offerings) {
      const key = offeringKey({
        instanceType: name,
        zone: labelValue(offering, labelKeys.zone),
        capacityType: labelValue(offering, labelKeys.capacityType),
      });
      // The first offering counts, as in Karpenter's price of a candidate.
      if (!prices.has(key)) prices.set(key, offering.price);
    }
  }
  priceCache.set(types, prices);
  return prices;
}

function labelValue({ requirements }: Offering, key: string): string {
  return requirements.find((requirement) => requirement.key === key)?.values?.[0] ?? '';
}

function offeringKey({ instanceType = '', zone = '', capacityType = '' }: OfferingLabels): string {
  return `${instanceType} ${zone} ${capacityType}`;
}

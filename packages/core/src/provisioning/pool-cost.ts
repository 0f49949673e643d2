import { labelKeys } from '../api/index.ts';
import type { InstanceType, Offering } from '../ports/index.ts';
import type { ClusterSnapshot, OfferingLabels } from '../state/index.ts';

export interface PoolCost {
  /** Of the nodes whose price is known, in dollars an hour. */
  readonly perHour: number;
  /** Ids of nodes of which no offering tells the price. */
  readonly unpriced: readonly string[];
}

/** What the nodes of each pool cost; pools of which no types are known yet are left out. */
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

const known = new WeakMap<readonly InstanceType[], ReadonlyMap<string, number>>();

/** Whether an offering can be had now does not matter to what it costs those who have it. */
function pricesOf(types: readonly InstanceType[]): ReadonlyMap<string, number> {
  const found = known.get(types);
  if (found !== undefined) return found;
  const prices = new Map<string, number>();
  for (const { name, offerings } of types) {
    for (const offering of offerings) {
      const key = offeringKey({
        instanceType: name,
        zone: labelValue(offering, labelKeys.zone),
        capacityType: labelValue(offering, labelKeys.capacityType),
      });
      if (!prices.has(key)) prices.set(key, offering.price);
    }
  }
  known.set(types, prices);
  return prices;
}

function labelValue({ requirements }: Offering, key: string): string {
  return requirements.find((requirement) => requirement.key === key)?.values?.[0] ?? '';
}

function offeringKey({ instanceType = '', zone = '', capacityType = '' }: OfferingLabels): string {
  return `${instanceType} ${zone} ${capacityType}`;
}

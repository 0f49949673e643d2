import { itemConstraints } from './item-constraints.ts';
import type { NodeTemplate } from './node-template.ts';
import { packSteps } from './packing/pack.ts';
import type { Machine, Offer, PackingProblem } from './packing/packing-problem.ts';
import type { PlacementItem } from './placement-item.ts';
import type { PlanSignal } from './plan-result.ts';
import { packOnReservations } from './reserved-packing.ts';
import type { ResourceAxes } from './resource-axes.ts';
import type { World } from './world.ts';

/** What one pool is to make: machines filled with items, which stand at their index. */
export interface PoolPacking {
  readonly template: NodeTemplate;
  readonly items: readonly PlacementItem[];
  readonly machines: readonly Machine[];
  /** Items that could use a capacity reservation, of which none is left for those of their pods without a machine. */
  readonly unreserved: ReadonlySet<PlacementItem>;
}

/** Packs the items of one pool at the lowest price. */
export function* packItems(
  world: World,
  template: NodeTemplate,
  items: readonly PlacementItem[],
): Generator<void, PoolPacking, PlanSignal> {
  if (items.length === 0) return { template, items, machines: [], unreserved: new Set() };
  const problem = packingProblem(world.axes, template, items);
  yield;
  if (template.reservedOffers.length > 0) return yield* packOnReservations(world, template, items, problem);
  const { machines } = yield* packSteps(problem);
  return { template, items, machines, unreserved: new Set() };
}

function packingProblem(
  axes: ResourceAxes,
  template: NodeTemplate,
  items: readonly PlacementItem[],
): PackingProblem {
  const typeIndexes = new Map(template.types.map((type, index) => [type, index]));
  const offers = template.offers.map(
    ({ of, offering, room }): Offer => ({
      type: typeIndexes.get(of) ?? 0,
      room,
      price: offering.price,
      ...(template.remaining === undefined ? {} : { footprint: of.footprint }),
    }),
  );
  return {
    resources: axes.names.length,
    offers,
    items: items.map(({ count, size, mask }) => ({ count, size, offers: mask })),
    ...itemConstraints(items),
    stocks: [],
    ...(template.remaining === undefined ? {} : { budget: Float64Array.from(template.remaining.values()) }),
  };
}

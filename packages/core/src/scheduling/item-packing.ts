import { type ItemConstraints, itemConstraints } from './item-constraints.ts';
import type { NodeTemplate } from './node-template.ts';
import { packSteps } from './packing/pack.ts';
import type { Offer, Packing, PackingProblem } from './packing/packing-problem.ts';
import type { PlacementItem } from './placement-item.ts';
import type { PlanSignal } from './plan-result.ts';
import type { ResourceAxes } from './resource-axes.ts';

/** Packs the items of one pool at the lowest price; until told to stop, where that is allowed. */
export function* packItems(
  axes: ResourceAxes,
  template: NodeTemplate,
  items: readonly PlacementItem[],
  mayStop: boolean,
): Generator<void, Packing, PlanSignal> {
  const constraints = itemConstraints(items);
  yield;
  const problem = packingProblem(axes, template, items, constraints);
  yield;
  const steps = packSteps(problem);
  for (let step = steps.next(); ; ) {
    if (step.done) return step.value;
    const signal = yield;
    step = steps.next(mayStop ? signal : undefined);
  }
}

function packingProblem(
  axes: ResourceAxes,
  template: NodeTemplate,
  items: readonly PlacementItem[],
  constraints: ItemConstraints,
): PackingProblem {
  const stocks: number[] = [];
  const typeIndexes = new Map(template.types.map((type, index) => [type, index]));
  const offers = template.offers.map(({ of, offering, room }): Offer => {
    const { reservationCapacity } = offering;
    if (reservationCapacity !== undefined) stocks.push(reservationCapacity);
    return {
      type: typeIndexes.get(of) ?? 0,
      room,
      price: offering.price,
      ...(template.remaining === undefined ? {} : { footprint: of.footprint }),
      ...(reservationCapacity === undefined ? {} : { stock: stocks.length - 1 }),
    };
  });
  return {
    resources: axes.names.length,
    offers,
    items: items.map(({ count, size, mask }) => ({ count, size, offers: mask })),
    ...constraints,
    stocks,
    ...(template.remaining === undefined ? {} : { budget: Float64Array.from(template.remaining.values()) }),
  };
}

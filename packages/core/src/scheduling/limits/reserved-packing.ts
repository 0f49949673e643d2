import { memoized } from '../../values/index.ts';
import type { Steps } from '../../yielding/index.ts';
import { fitsInto } from '../context/resource-axes.ts';
import type { NodeTemplate, TemplateOffer } from '../instance-types/node-template.ts';
import { intersectionOf } from '../instance-types/offer-mask.ts';
import type { PackingInputs, PoolPacking } from '../packing/item-packing.ts';
import { packSteps } from '../packing/pack.ts';
import type { Offer, PackedNode, Packing, PackingProblem } from '../packing/packing-problem.ts';
import type { PlacementItem } from '../placement/placement-item.ts';
import { packWithin, unplacedUnits } from './limited-packing.ts';
import { instancesLeft, usableReservations } from './reservations.ts';

/**
 * Packs items on capacity reservations first, because those are paid for whether they are used or not, and the rest on
 * other capacity. Two packings, because worth in one packing would not know how many instances are left (ADR 0009). In
 * strict mode, as in Karpenter, no node of other capacity is created only for pods that could have used a reservation:
 * they may join a node that other pods need, or wait.
 */
export function* packOnReservations(
  { context, reservations, policy, template, items }: PackingInputs,
  problem: PackingProblem,
): Steps<PoolPacking> {
  const usable = items.map((item) => usableReservations(item));
  const reserved = yield* packReserved(reservedProblem(problem, { template, reservations, usable }));
  for (const { offer, times } of reserved.nodes) {
    const id = template.offers[offer]?.offering.reservation?.id;
    if (id !== undefined) reservations.take(id, times);
  }
  const left = items.map((item, index) =>
    usable[index]?.length === 0 ? item.count : (reserved.unplaced[index] ?? 0),
  );
  const isStrict = context.options.reservedCapacity?.mode === 'strict';
  // If a reservation has instances left, or other capacity would do, it is not the lack of a reservation that keeps
  // the pods from being placed, but the limits of the NodePool.
  const lacksReservation = usable.map(
    (offers, index) =>
      offers.length > 0 &&
      (isStrict || !hasOtherOffers(items[index])) &&
      (template.remaining === undefined || offers.every((offer) => instancesLeft(reservations, offer) === 0)),
  );
  const mustWait = (index: number) => isStrict && lacksReservation[index];
  const otherNodes = left.some((count, index) => count > 0 && !mustWait(index))
    ? (yield* packWithin(
        unreservedProblem(problem, { template, reservedNodes: reserved.nodes, left }),
        policy.sparesLimits,
      )).nodes
    : [];
  return {
    template,
    items,
    nodes: [...reserved.nodes, ...otherNodes],
    unreserved: new Set(items.filter((_, index) => lacksReservation[index])),
    isStopped: false,
  };
}

function hasOtherOffers(item: PlacementItem | undefined): boolean {
  if (item === undefined) return false;
  const { template, mask, size } = item;
  return template.offers.some(
    (offer) =>
      offer.offering.reservation === undefined &&
      template.kinds.allows(mask, offer) &&
      fitsInto(size, offer.room),
  );
}

/**
 * If not all units find a reservation, packs again with equal prices, so that few instances take many units, and
 * returns the packing that places more units.
 */
function* packReserved(problem: PackingProblem): Steps<Packing> {
  const cheapest = yield* packSteps(problem);
  if (unplacedUnits(cheapest) === 0) return cheapest;
  const offers = problem.offers.map((offer) => ({ ...offer, price: 1 }));
  const fullest = yield* packSteps({ ...problem, offers });
  return unplacedUnits(fullest) < unplacedUnits(cheapest) ? fullest : cheapest;
}

interface ReservedOffers extends Pick<PackingInputs, 'template' | 'reservations'> {
  /** By index of the item. */
  readonly usable: readonly (readonly TemplateOffer[])[];
}

/** The problem with reserved offers only; the offers of one reservation share its instances. */
function reservedProblem(
  { alternatives: _, ...problem }: PackingProblem,
  { template, reservations, usable }: ReservedOffers,
): PackingProblem {
  const ids = [...new Set(template.reservedOffers.map(({ offering }) => offering.reservation?.id ?? ''))];
  const reservationOf = new Map(ids.map((id, reservation) => [id, reservation]));
  const reservedMask = reservedMaskOf(template);
  const within = memoized((mask: Uint32Array) => intersectionOf(mask, reservedMask));
  return {
    ...problem,
    offers: problem.offers.map((offer, index): Offer => {
      const reservation = reservationOf.get(template.offers[index]?.offering.reservation?.id ?? '');
      return reservation === undefined ? offer : { ...offer, reservation };
    }),
    items: problem.items.map(({ count, size, offers }, index) => ({
      count: usable[index]?.length === 0 ? 0 : count,
      size,
      offers: within(offers),
    })),
    reserved: ids.map((id) => reservations.left(id)),
  };
}

interface UnreservedItems {
  readonly template: NodeTemplate;
  readonly reservedNodes: readonly PackedNode[];
  /** Units that found no reservation, by index of the item. */
  readonly left: readonly number[];
}

/** The problem with all other offers, for the units that are left and within what is left of the limits. */
function unreservedProblem(
  problem: PackingProblem,
  { template, reservedNodes, left }: UnreservedItems,
): PackingProblem {
  const others = reservedMaskOf(template).map((word) => ~word);
  const within = memoized((mask: Uint32Array) => intersectionOf(mask, others));
  return {
    ...problem,
    items: problem.items.map(({ size, offers }, index) => ({
      count: left[index] ?? 0,
      size,
      offers: within(offers),
    })),
    ...(problem.limitsLeft === undefined
      ? {}
      : { limitsLeft: limitsLeftAfter(problem, problem.limitsLeft, reservedNodes) }),
  };
}

function limitsLeftAfter(
  { offers }: PackingProblem,
  limitsLeft: Float64Array,
  reservedNodes: readonly PackedNode[],
) {
  return limitsLeft.map((amount, axis) =>
    reservedNodes.reduce(
      (left, { offer, times }) => left - times * (offers[offer]?.limitUsage?.[axis] ?? 0),
      amount,
    ),
  );
}

function reservedMaskOf({ kinds, reservedOffers }: NodeTemplate): Uint32Array {
  const mask = new Uint32Array((kinds.length + 31) >>> 5);
  for (const { index } of reservedOffers) {
    const kind = kinds.of[index] ?? 0;
    mask[kind >>> 5] = (mask[kind >>> 5] ?? 0) | (1 << (kind & 31));
  }
  return mask;
}

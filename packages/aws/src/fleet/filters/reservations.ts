import { capacityTypes } from '@karpenter/core/api';
import {
  type LaunchableOffering,
  type LaunchableType,
  lowestPrice,
  type ReservationOffer,
} from '../../launchable/index.ts';
import { allows, type LaunchFilter, offeringsSoldAs, withOfferings } from './launch-filter.ts';

type ReservationKind = 'default' | 'capacity-block' | 'interruptible';

/** In Karpenter's order of preference at equal price. */
const kinds: readonly ReservationKind[] = ['default', 'capacity-block', 'interruptible'];

function kindOf({ type, interruptible }: ReservationOffer): ReservationKind {
  return interruptible ? 'interruptible' : type;
}

function reserved(type: LaunchableType): readonly LaunchableOffering[] {
  return offeringsSoldAs(type, capacityTypes.reserved).filter(({ reservation }) => reservation !== undefined);
}

/** Each kind of reservation needs its own form of fleet request, so a launch uses only the cheapest kind. */
export const capacityReservationType: LaunchFilter = {
  name: 'capacity-reservation-type-filter',
  keep: (types, required) => {
    if (!allows(required, capacityTypes.reserved)) return types;
    const kind = cheapestKind(types);
    // Drops spot and on-demand offerings too: a launch has one capacity type, and reserved comes first.
    return kind === undefined ? types : onlyOfferings(types, (type) => ofKind(type, kind));
  },
};

function ofKind(type: LaunchableType, kind: ReservationKind): readonly LaunchableOffering[] {
  return reserved(type).filter(
    ({ reservation }) => reservation !== undefined && kindOf(reservation) === kind,
  );
}

function cheapestKind(types: readonly LaunchableType[]): ReservationKind | undefined {
  const prices = kinds.map((kind) => ({
    kind,
    price: lowestPrice(types.flatMap((type) => ofKind(type, kind))),
  }));
  const best = Math.min(...prices.map(({ price }) => price));
  return Number.isFinite(best) ? prices.find(({ price }) => price === best)?.kind : undefined;
}

/** A fleet request for a capacity block takes a single block. */
export const capacityBlock: LaunchFilter = {
  name: 'capacity-block-filter',
  keep: (types, required) => {
    if (!allows(required, capacityTypes.reserved)) return types;
    const blocks = types.flatMap((type) =>
      ofKind(type, 'capacity-block').map((offering) => ({ type, offering })),
    );
    const price = lowestPrice(blocks.map(({ offering }) => offering));
    const best = blocks.find(({ offering }) => offering.price === price);
    return best === undefined ? types : [withOfferings(best.type, [best.offering])];
  },
};

/** Keeps one reservation per type and zone: the one with the most free capacity, as in Karpenter. */
export const reservedOffering: LaunchFilter = {
  name: 'reserved-offering-filter',
  keep: (types, required) => {
    if (!allows(required, capacityTypes.reserved)) return types;
    const narrowed = onlyOfferings(types, (type) => freestByZone(reserved(type)));
    // Nothing reserved is left, so the launch uses spot or on-demand.
    return narrowed.length === 0 ? types : narrowed;
  },
};

function freestByZone(offerings: readonly LaunchableOffering[]): readonly LaunchableOffering[] {
  const best = new Map<string, LaunchableOffering>();
  for (const offering of offerings) {
    const earlier = best.get(offering.zone)?.reservation?.capacity ?? -1;
    if ((offering.reservation?.capacity ?? 0) > earlier) best.set(offering.zone, offering);
  }
  const ids = new Set([...best].map(([zone, { reservation }]) => `${zone} ${reservation?.id}`));
  // Each partition of a placement group is a separate offering of the same reservation; all of them stay.
  return offerings.filter(({ zone, reservation }) => ids.has(`${zone} ${reservation?.id}`));
}

function onlyOfferings(
  types: readonly LaunchableType[],
  choose: (type: LaunchableType) => readonly LaunchableOffering[],
): readonly LaunchableType[] {
  return types
    .map((type) => withOfferings(type, choose(type)))
    .filter(({ offerings }) => offerings.length > 0);
}

import { fitsInto, howManyFit } from '../context/resource-axes.ts';
import type { CompiledType } from '../instance-types/compiled-type.ts';
import type { TemplateOffer } from '../instance-types/node-template.ts';
import type { PlacementItem } from '../placement/placement-item.ts';

/**
 * Instances of each capacity reservation, by its id. Where NodePools or types report different numbers for
 * one reservation, the lowest counts: a plan that assumes more would create NodeClaims that cannot launch.
 */
export function reservedCapacityOf(types: Iterable<CompiledType>): ReadonlyMap<string, number> {
  const lowest = new Map<string, number>();
  for (const type of new Set(types)) {
    if (!type.isReserved) continue;
    for (const { reservation } of type.offerings) {
      if (reservation === undefined) continue;
      const { id, capacity } = reservation;
      lowest.set(id, Math.min(lowest.get(id) ?? capacity, capacity));
    }
  }
  return lowest;
}

/** Instances that the nodes of a plan leave in each capacity reservation. */
export class RemainingReservations {
  readonly #left: Map<string, number>;

  constructor(capacity: ReadonlyMap<string, number>) {
    this.#left = new Map(capacity);
  }

  /** A copy of the present state, which later calls of `take` do not change. */
  copy(): RemainingReservations {
    return new RemainingReservations(this.#left);
  }

  left(id: string): number {
    return Math.max(0, this.#left.get(id) ?? 0);
  }

  take(id: string, nodes: number): void {
    this.#left.set(id, this.left(id) - nodes);
  }
}

/** One unit of an item, as far as it decides which offers it fits on. */
type Unit = Pick<PlacementItem, 'template' | 'mask' | 'size'>;

/** The reserved offers on which one unit of the item fits. */
export function usableReservations({ template, mask, size }: Unit): readonly TemplateOffer[] {
  return template.reservedOffers.filter(
    (offer) => template.kinds.allows(mask, offer) && fitsInto(size, offer.room),
  );
}

/** Whether the change makes a reservation unusable that has an instance left. */
export function losesReservation(reservations: RemainingReservations, before: Unit, after: Unit): boolean {
  const idsOf = (unit: Unit) => {
    const offers = usableReservations(unit).filter((offer) => instancesLeft(reservations, offer) > 0);
    return new Set(offers.map(({ offering }) => offering.reservation?.id));
  };
  const kept = idsOf(after);
  return [...idsOf(before)].some((id) => !kept.has(id));
}

/** How many units of the item fit on one instance of a reservation that has instances left. */
export function reservedRoom(reservations: RemainingReservations, item: Unit): number {
  const rooms = usableReservations(item)
    .filter((offer) => instancesLeft(reservations, offer) > 0)
    .map(({ room }) => howManyFit(item.size, room));
  return Math.max(0, ...rooms);
}

export function instancesLeft(reservations: RemainingReservations, { offering }: TemplateOffer): number {
  return offering.reservation === undefined ? 0 : reservations.left(offering.reservation.id);
}

import type { CompiledType } from './compiled-type.ts';
import type { TemplateOffer } from './node-template.ts';
import type { PlacementItem } from './placement-item.ts';
import { fitsInto } from './resource-axes.ts';

/** What the nodes of a plan leave of each capacity reservation. */
export class Reservations {
  readonly #capacity: ReadonlyMap<string, number>;
  readonly #left: Map<string, number>;

  constructor(capacity: ReadonlyMap<string, number>) {
    this.#capacity = capacity;
    this.#left = new Map(capacity);
  }

  /** Where pools or types report different amounts, the least is sure to be there. */
  static of(types: Iterable<CompiledType>): Reservations {
    const least = new Map<string, number>();
    for (const type of new Set(types)) {
      if (!type.isReserved) continue;
      for (const { reservation } of type.offerings) {
        if (reservation === undefined) continue;
        const { id, capacity } = reservation;
        least.set(id, Math.min(least.get(id) ?? capacity, capacity));
      }
    }
    return new Reservations(least);
  }

  /** The same before any was taken. */
  renewed(): Reservations {
    return new Reservations(this.#capacity);
  }

  left(id: string): number {
    return Math.max(0, this.#left.get(id) ?? 0);
  }

  take(id: string, nodes: number): void {
    this.#left.set(id, this.left(id) - nodes);
  }
}

/** The reserved offers that one unit of the item fits on alone. */
export function usableReservations({ template, mask, size }: PlacementItem): readonly TemplateOffer[] {
  return template.reservedOffers.filter(
    (offer) => template.kinds.allows(mask, offer) && fitsInto(size, offer.room),
  );
}

export function instancesLeft(reservations: Reservations, { offering }: TemplateOffer): number {
  return offering.reservation === undefined ? 0 : reservations.left(offering.reservation.id);
}

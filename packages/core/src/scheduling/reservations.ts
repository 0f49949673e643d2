import type { CompiledType } from './compiled-type.ts';
import type { TemplateOffer } from './node-template.ts';
import { hasOffer } from './offer-mask.ts';
import type { PlacementItem } from './placement-item.ts';
import { fitsInto } from './resource-axes.ts';

/** What the nodes of a plan leave of each capacity reservation. */
export class Reservations {
  readonly #left = new Map<string, number>();

  /** Where pools or types report different amounts, the least is sure to be there. */
  constructor(types: Iterable<CompiledType>) {
    for (const { offerings } of new Set(types)) {
      for (const { reservation } of offerings) {
        if (reservation === undefined) continue;
        const { id, capacity } = reservation;
        this.#left.set(id, Math.min(this.#left.get(id) ?? capacity, capacity));
      }
    }
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
  return template.reservedOffers.filter(({ index, room }) => hasOffer(mask, index) && fitsInto(size, room));
}

export function instancesLeft(reservations: Reservations, { offering }: TemplateOffer): number {
  return offering.reservation === undefined ? 0 : reservations.left(offering.reservation.id);
}

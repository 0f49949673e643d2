import type { LabelKey, Requirement, Requirements } from '../requirements/index.ts';
import type { TemplateOffer } from './node-template.ts';
import { hasOffer, intersectionOf } from './offer-mask.ts';
import { remembered } from './remembered.ts';
import { fitsInto } from './resource-axes.ts';

/**
 * The offers that tell a NodeClaim something new, the cheapest first: what differs in its zone alone from a
 * cheaper one adds neither an instance type nor a capacity type.
 */
export class OfferRanking {
  readonly #byPrice: readonly TemplateOffer[];
  readonly #capacityType: LabelKey;
  readonly #maskIds = new Map<Uint32Array, number>();
  /** By the ids of the masks that were joined; many joins come to the same. */
  readonly #joined = new Map<string, readonly TemplateOffer[]>();
  readonly #byContent = new Map<string, readonly TemplateOffer[]>();

  constructor(byPrice: readonly TemplateOffer[], capacityType: LabelKey) {
    this.#byPrice = byPrice;
    this.#capacityType = capacityType;
  }

  /** Those that all the masks allow and that hold the size. */
  holding(masks: readonly Uint32Array[], size: Float64Array): readonly TemplateOffer[] {
    return this.#allowedByAll(masks).filter(({ room }) => fitsInto(size, room));
  }

  #allowedByAll(masks: readonly Uint32Array[]): readonly TemplateOffer[] {
    const distinct = [...new Set(masks)];
    const name = distinct
      .map((mask) => this.#idOf(mask))
      .sort((a, b) => a - b)
      .join();
    const known = this.#joined.get(name);
    if (known !== undefined) return known;
    const made = this.#allowedBy(distinct.reduce(intersectionOf));
    this.#joined.set(name, made);
    return made;
  }

  #idOf(mask: Uint32Array): number {
    const id = this.#maskIds.get(mask) ?? this.#maskIds.size;
    this.#maskIds.set(mask, id);
    return id;
  }

  #allowedBy(mask: Uint32Array): readonly TemplateOffer[] {
    const content = mask.join();
    const known = this.#byContent.get(content);
    if (known !== undefined) return known;
    const capacityTypeOf = remembered((offered: Requirements) => offered.get(this.#capacityType));
    const seen = new Map<Float64Array, Requirement[]>();
    const made = this.#byPrice.filter((offer) => {
      if (!hasOffer(mask, offer.index)) return false;
      return isNews(offer, capacityTypeOf(offer.offering.requirements), seen);
    });
    this.#byContent.set(content, made);
    return made;
  }
}

/** Offers limited in number are always news. */
function isNews(
  { room, offering }: TemplateOffer,
  capacityType: Requirement,
  seen: Map<Float64Array, Requirement[]>,
): boolean {
  const known = seen.get(room);
  if (known === undefined) seen.set(room, [capacityType]);
  else if (offering.reservation === undefined && known.includes(capacityType)) return false;
  else known.push(capacityType);
  return true;
}

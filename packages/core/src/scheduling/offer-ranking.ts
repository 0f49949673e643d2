import type { LabelKey, Requirement, Requirements } from '../requirements/index.ts';
import type { TemplateOffer } from './node-template.ts';
import { hasKind, type OfferKinds } from './offer-kinds.ts';
import { intersectionOf } from './offer-mask.ts';
import { remembered } from './remembered.ts';
import { fitsInto } from './resource-axes.ts';

/**
 * The offers that tell a NodeClaim something new, the cheapest first: what differs in its zone alone from a
 * cheaper one adds neither an instance type nor a capacity type.
 */
export class OfferRanking {
  readonly #offers: readonly TemplateOffer[];
  readonly #kinds: OfferKinds;
  readonly #capacityType: LabelKey;
  readonly #maskIds = new Map<Uint32Array, number>();
  /** By the ids of the masks that were joined; many joins come to the same. */
  readonly #joined = new Map<string, RankedOffers>();
  readonly #byContent = new Map<string, RankedOffers>();

  constructor(offers: readonly TemplateOffer[], kinds: OfferKinds, capacityType: LabelKey) {
    this.#offers = offers;
    this.#kinds = kinds;
    this.#capacityType = capacityType;
  }

  /** Those that all the masks allow and that hold the size; the same list whenever they are the same. */
  holding(masks: readonly Uint32Array[], size: Float64Array): readonly TemplateOffer[] {
    return this.#allowedByAll(masks).holding(size);
  }

  #allowedByAll(masks: readonly Uint32Array[]): RankedOffers {
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

  #allowedBy(mask: Uint32Array): RankedOffers {
    const content = mask.join();
    const known = this.#byContent.get(content);
    if (known !== undefined) return known;
    const made = new RankedOffers(this.#newsIn(mask));
    this.#byContent.set(content, made);
    return made;
  }

  #newsIn(mask: Uint32Array): readonly TemplateOffer[] {
    const { of } = this.#kinds;
    const capacityTypeOf = remembered((offered: Requirements) => offered.get(this.#capacityType));
    const seen = new Map<Float64Array, Requirement[]>();
    const news: TemplateOffer[] = [];
    for (let i = 0; i < of.length; i++) {
      if (!hasKind(mask, of[i] ?? 0)) continue;
      const offer = this.#offers[i];
      if (offer !== undefined && isNews(offer, capacityTypeOf(offer.offering.requirements), seen))
        news.push(offer);
    }
    return news;
  }
}

/** Offers that some masks allow. Machines of many sizes fit on the same of them, so what fits is worked out once. */
class RankedOffers {
  readonly #offers: readonly TemplateOffer[];
  /** Of each resource the rooms in ascending order. */
  readonly #rooms: readonly Float64Array[];
  readonly #holding = new Map<string, readonly TemplateOffer[]>();

  constructor(offers: readonly TemplateOffer[]) {
    this.#offers = offers;
    this.#rooms = Array.from(offers[0]?.room ?? [], (_, axis) =>
      Float64Array.from(offers, ({ room }) => room[axis] ?? 0).sort(),
    );
  }

  holding(size: Float64Array): readonly TemplateOffer[] {
    let key = '';
    for (let axis = 0; axis < size.length; axis++) key += `${this.#tooSmall(axis, size[axis] ?? 0)},`;
    const known = this.#holding.get(key);
    if (known !== undefined) return known;
    const made = this.#offers.filter(({ room }) => fitsInto(size, room));
    this.#holding.set(key, made);
    return made;
  }

  /** How many of the offers have less of a resource than is wanted; asking for nothing always fits. */
  #tooSmall(axis: number, wanted: number): number {
    const rooms = this.#rooms[axis];
    if (rooms === undefined || wanted <= 0) return -1;
    let low = 0;
    for (let high = rooms.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((rooms[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
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

import type { LabelKey, Requirement } from '../../requirements/index.ts';
import { fitsInto } from '../context/resource-axes.ts';
import type { TemplateOffer } from './node-template.ts';
import type { OfferKinds } from './offer-kinds.ts';
import { intersectionOf } from './offer-mask.ts';

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
  #steps: SizeSteps | undefined;
  /** The kinds that the masks speak of. */
  #kindsKnown: Uint32Array | undefined;

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
    this.#forgetOtherKinds();
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

  #forgetOtherKinds(): void {
    const { of } = this.#kinds;
    if (this.#kindsKnown === of) return;
    this.#kindsKnown = of;
    this.#maskIds.clear();
    this.#joined.clear();
    this.#byContent.clear();
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
    this.#steps ??= new SizeSteps(this.#offers);
    const made = new RankedOffers(this.#newsIn(mask), this.#steps);
    this.#byContent.set(content, made);
    return made;
  }

  #newsIn(mask: Uint32Array): readonly TemplateOffer[] {
    const allowed: number[] = [];
    for (const offers of this.#kinds.allowed(mask)) for (const { index } of offers) allowed.push(index);
    const seen = new SeenOffers(this.#kinds.members, this.#capacityType);
    const news: TemplateOffer[] = [];
    for (const index of Uint32Array.from(allowed).sort()) {
      const offer = this.#offers[index];
      if (offer !== undefined && seen.isNews(offer, this.#kinds.of[index] ?? 0)) news.push(offer);
    }
    return news;
  }
}

/** Which types have been seen in which capacity types. */
class SeenOffers {
  /** The capacity type of each kind of offer, as a bit. */
  readonly #bits: Int32Array;
  /** By type, the room it was first seen with, and the bits seen. */
  readonly #rooms: Float64Array[] = [];
  readonly #seen: number[] = [];

  constructor(kinds: readonly (readonly TemplateOffer[])[], capacityType: LabelKey) {
    this.#bits = new Int32Array(kinds.length);
    const known: Requirement[] = [];
    for (const [kind, [sample]] of kinds.entries()) {
      if (sample === undefined) continue;
      const said = sample.offering.requirements.get(capacityType);
      const at = known.findIndex((each) => each.equals(said));
      this.#bits[kind] = 1 << (at < 0 ? known.push(said) - 1 : at);
    }
  }

  /** Offers limited in number are always news, and so are nodes that are not like the first of their type. */
  isNews({ of, room, offering }: TemplateOffer, kind: number): boolean {
    const bit = this.#bits[kind] ?? 0;
    const seen = this.#seen[of.index];
    if (seen === undefined) {
      this.#seen[of.index] = bit;
      this.#rooms[of.index] = room;
      return true;
    }
    if (offering.reservation !== undefined || this.#rooms[of.index] !== room) return true;
    this.#seen[of.index] = seen | bit;
    return (seen & bit) === 0;
  }
}

/** Offers that some masks allow. Nodes of many sizes fit on the same of them, so what fits is worked out once. */
class RankedOffers {
  readonly #offers: readonly TemplateOffer[];
  readonly #steps: SizeSteps;
  readonly #holding = new Map<string, readonly TemplateOffer[]>();

  constructor(offers: readonly TemplateOffer[], steps: SizeSteps) {
    this.#offers = offers;
    this.#steps = steps;
  }

  holding(size: Float64Array): readonly TemplateOffer[] {
    const key = this.#steps.of(size);
    const known = this.#holding.get(key);
    if (known !== undefined) return known;
    const made: TemplateOffer[] = [];
    for (const offer of this.#offers) if (fitsInto(size, offer.room)) made.push(offer);
    this.#holding.set(key, made);
    return made;
  }
}

/** Sizes between the same rooms of nodes, resource by resource, fit on the same nodes. */
class SizeSteps {
  /** Of each resource the rooms in ascending order. */
  readonly #rooms: Float64Array[] = [];

  constructor(offers: readonly TemplateOffer[]) {
    const rooms = [...new Set(offers.map(({ room }) => room))];
    for (let axis = 0; axis < (rooms[0]?.length ?? 0); axis++) {
      const ascending = new Float64Array(rooms.length);
      for (let i = 0; i < rooms.length; i++) ascending[i] = rooms[i]?.[axis] ?? 0;
      this.#rooms.push(ascending.sort());
    }
  }

  of(size: Float64Array): string {
    let step = '';
    for (let axis = 0; axis < size.length; axis++) step += `${this.#tooSmall(axis, size[axis] ?? 0)},`;
    return step;
  }

  /** How many of the nodes have less of a resource than is wanted; asking for nothing always fits. */
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

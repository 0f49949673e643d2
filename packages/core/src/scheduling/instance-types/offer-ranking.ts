import type { LabelKey, Requirement } from '../../requirements/index.ts';
import { fitsInto } from '../context/resource-axes.ts';
import type { NodeTemplate, TemplateOffer } from './node-template.ts';
import { hasKind, type OfferKinds } from './offer-kinds.ts';
import { intersectionOf } from './offer-mask.ts';

/**
 * The offers that matter to a NodeClaim, the cheapest first. An offer that differs from a cheaper one only in
 * its zone is left out: it adds neither an instance type nor a capacity type.
 */
export class OfferRanking {
  readonly #offers: readonly TemplateOffer[];
  readonly #kinds: OfferKinds;
  readonly #capacityType: LabelKey;
  /** How many types the offers are of. */
  readonly #types: number;
  readonly #maskIds = new Map<Uint32Array, number>();
  /** By the ids of the intersected masks. */
  readonly #intersected = new Map<string, RankedOffers>();
  readonly #byContent = new Map<string, RankedOffers>();
  #steps: SizeSteps | undefined;
  #capacityBits: Int32Array | undefined;
  /** The partition into kinds that the caches above are for. */
  #partition: Uint32Array | undefined;

  constructor(
    { offers, types }: Pick<NodeTemplate, 'offers' | 'types'>,
    kinds: OfferKinds,
    capacityType: LabelKey,
  ) {
    this.#offers = offers;
    this.#types = types.length;
    this.#kinds = kinds;
    this.#capacityType = capacityType;
  }

  /**
   * Offers that all masks allow and that hold the size. Equal results are one list, so callers can memoize by
   * it.
   */
  holding(masks: readonly Uint32Array[], size: Float64Array): readonly TemplateOffer[] {
    return this.#allowedByAll(masks).holding(size);
  }

  #allowedByAll(masks: readonly Uint32Array[]): RankedOffers {
    this.#dropOutdated();
    const distinct = [...new Set(masks)];
    const name = distinct
      .map((mask) => this.#idOf(mask))
      .sort((a, b) => a - b)
      .join();
    const known = this.#intersected.get(name);
    if (known !== undefined) return known;
    const made = this.#allowedBy(distinct.reduce(intersectionOf));
    this.#intersected.set(name, made);
    return made;
  }

  #dropOutdated(): void {
    const { of } = this.#kinds;
    if (this.#partition === of) return;
    this.#partition = of;
    this.#capacityBits = undefined;
    this.#maskIds.clear();
    this.#intersected.clear();
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
    const made = new RankedOffers(this.#relevantIn(mask), this.#steps);
    this.#byContent.set(content, made);
    return made;
  }

  /** The capacity type of each kind of offer that a mask allows, as a bit; zero for others. */
  #capacityBitsIn(mask: Uint32Array): Int32Array {
    this.#capacityBits ??= capacityBits(this.#kinds.members, this.#capacityType);
    return this.#capacityBits.map((bit, kind) => (hasKind(mask, kind) ? bit : 0));
  }

  #relevantIn(mask: Uint32Array): readonly TemplateOffer[] {
    const offers = this.#offers;
    const { of } = this.#kinds;
    const bits = this.#capacityBitsIn(mask);
    const seen = new SeenTypes(this.#types);
    const relevant: TemplateOffer[] = [];
    for (let index = 0; index < of.length; index++) {
      const bit = bits[of[index] ?? 0] ?? 0;
      const offer = offers[index];
      if (bit !== 0 && offer !== undefined && seen.isNew(offer, bit)) relevant.push(offer);
    }
    return relevant;
  }
}

/** The types seen so far, each with its capacity types. */
class SeenTypes {
  /** By type, the bits of its capacity types, and the room of its first offer. */
  readonly #bits: number[];
  readonly #rooms: (Float64Array | undefined)[];

  constructor(types: number) {
    this.#bits = new Array(types).fill(0);
    this.#rooms = new Array(types).fill(undefined);
  }

  /** Reserved offers always count, and so do offers whose room differs from the first of their type. */
  isNew({ of, room, offering }: TemplateOffer, bit: number): boolean {
    const before = this.#bits[of.index] ?? 0;
    if (before === 0) this.#rooms[of.index] = room;
    else if (offering.reservation !== undefined || this.#rooms[of.index] !== room) return true;
    this.#bits[of.index] = before | bit;
    return (before & bit) === 0;
  }
}

/** The capacity type of each kind of offer, as a bit. */
function capacityBits(members: OfferKinds['members'], capacityType: LabelKey): Int32Array {
  const known: Requirement[] = [];
  return Int32Array.from(members, ([sample]) => {
    if (sample === undefined) return 0;
    const requirement = sample.offering.requirements.get(capacityType);
    const at = known.findIndex((each) => each.equals(requirement));
    return 1 << (at < 0 ? known.push(requirement) - 1 : at);
  });
}

/**
 * The offers that a mask allows. Loads of many sizes fit on the same offers, so each such list is computed
 * once.
 */
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
    const made = this.#offers.filter(({ room }) => fitsInto(size, room));
    this.#holding.set(key, made);
    return made;
  }
}

/** Maps sizes to steps: sizes between the same two rooms, resource by resource, fit on the same offers. */
class SizeSteps {
  /** Rooms in ascending order, by resource. */
  readonly #rooms: Float64Array[] = [];

  constructor(offers: readonly TemplateOffer[]) {
    const distinct = new Set<Float64Array>();
    for (let i = 0; i < offers.length; i++) {
      const offer = offers[i];
      if (offer !== undefined) distinct.add(offer.room);
    }
    const rooms = [...distinct];
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

  /** How many rooms have less of a resource than requested; a request of zero always fits. */
  #tooSmall(axis: number, requested: number): number {
    const rooms = this.#rooms[axis];
    if (rooms === undefined || requested <= 0) return -1;
    let low = 0;
    for (let high = rooms.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((rooms[middle] ?? 0) < requested) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

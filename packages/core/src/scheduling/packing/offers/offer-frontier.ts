import { ascendingOrder } from '../../context/sorted-order.ts';
import { comparePrices } from '../cost.ts';
import type { ItemGroups } from '../item-groups.ts';
import type { Offer, PackingProblem } from '../packing-problem.ts';
import { offerSignatures, type Signatures } from './offer-signatures.ts';

/**
 * The offers that no other offer dominates (same masks, as much room, no higher price), the cheapest first.
 */
export interface OfferFrontier {
  readonly length: number;
  /** Index into the problem's offers. */
  readonly offer: Uint32Array;
  readonly price: Float64Array;
  /** Offer × resources + resource. */
  readonly room: Float64Array;
  /** 1 where a mask allows an offer: offer × masks + mask. */
  readonly allows: Uint8Array;
  /** Equal for offers that the same masks allow. */
  readonly signature: Uint32Array;
  /** 1 where a mask allows the offers of a signature, if there are any: signature × masks + mask. */
  readonly signatureAllows: Uint8Array;
  /** 1 if the offer is not reserved: only the limits of the NodePool bound the number of its nodes. */
  readonly unreserved: Uint8Array;
  /** The offers that the pattern search fills: of many similar sizes only some. */
  readonly candidates: Uint32Array;
}

export function offerFrontier(problem: PackingProblem, groups: ItemGroups): OfferFrontier {
  const { offers } = problem;
  const signatures = offerSignatures(groups.masks);
  const kept: number[] = [];
  const keptOf = signatures.masks.map(() => new KeptOffers(problem));
  const order = cheapestFirst(offers);
  for (let i = 0; i < order.length; i++) {
    const index = order[i] ?? 0;
    const offer = offers[index];
    const signature = signatures.of[problem.kinds[index] ?? 0] ?? 0;
    if (offer === undefined || signatures.masks[signature]?.length === 0) continue;
    if (isDominated(offer, signatures.within[signature] ?? [], keptOf) || !isUsable(offer)) continue;
    keptOf[signature]?.add(offer);
    kept.push(index);
  }
  return describe(problem, groups, { signatures, kept });
}

function isDominated(offer: Offer, rivals: readonly number[], keptOf: readonly KeptOffers[]): boolean {
  for (let i = 0; i < rivals.length; i++) if (keptOf[rivals[i] ?? 0]?.dominates(offer) === true) return true;
  return false;
}

/** Of equal prices the one with the most room first, as it dominates the others. */
function cheapestFirst(offers: readonly Offer[]): Uint32Array {
  const order = inOrderOfPrice(offers);
  for (let start = 0; start < order.length; ) {
    const first = offers[order[start] ?? 0];
    let end = start + 1;
    let isOneRoom = true;
    for (; end < order.length; end++) {
      const next = offers[order[end] ?? 0];
      if (comparePrices(next?.price ?? 0, first?.price ?? 0) !== 0) break;
      if (next?.room !== first?.room) isOneRoom = false;
    }
    if (!isOneRoom) order.subarray(start, end).sort((a, b) => roomiest(offers[a], offers[b]) || a - b);
    start = end;
  }
  return order;
}

/** Offers of a NodePool are sorted by price already (ADR 0019), so that mostly nothing has to be sorted. */
function inOrderOfPrice(offers: readonly Offer[]): Uint32Array {
  const order = new Uint32Array(offers.length);
  let last = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < order.length; i++) {
    const price = offers[i]?.price ?? 0;
    if (!(price >= last)) return ascendingOrder(Float64Array.from(offers, (offer) => offer.price));
    last = price;
    order[i] = i;
  }
  return order;
}

function roomiest(a: Offer | undefined, b: Offer | undefined): number {
  if (a === undefined || b === undefined || a.room === b.room) return 0;
  for (let r = 0; r < a.room.length; r++) {
    const difference = (b.room[r] ?? 0) - (a.room[r] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function isUsable({ price, room }: Offer): boolean {
  if (!Number.isFinite(price)) return false;
  for (let r = 0; r < room.length; r++) if (!((room[r] ?? 0) >= 0)) return false;
  return true;
}

/** The offers of one signature that were kept so far. Offers are added in the order of price. */
class KeptOffers {
  readonly #problem: PackingProblem;
  readonly #offers: Offer[] = [];
  /** The most of each resource that any of them has: an offer with more of one is not dominated. */
  readonly #most: Float64Array;

  constructor(problem: PackingProblem) {
    this.#problem = problem;
    this.#most = new Float64Array(problem.resources);
  }

  add(offer: Offer): void {
    this.#offers.push(offer);
    for (let r = 0; r < this.#most.length; r++)
      this.#most[r] = Math.max(this.#most[r] ?? 0, offer.room[r] ?? 0);
  }

  /** Compares the most expensive first, because they tend to be the largest. */
  dominates(offer: Offer): boolean {
    const most = this.#most;
    const { room } = offer;
    for (let r = 0; r < most.length; r++) if ((room[r] ?? 0) > (most[r] ?? 0)) return false;
    const offers = this.#offers;
    for (let i = offers.length - 1; i >= 0; i--) {
      const rival = offers[i];
      if (rival !== undefined && dominates(rival, offer, this.#problem)) return true;
    }
    return false;
  }
}

/** Whether the other offer, which does not cost more, can replace this one in every packing. */
function dominates(other: Offer, offer: Offer, problem: PackingProblem): boolean {
  if (other.reservation !== undefined && other.reservation !== offer.reservation) return false;
  for (let r = 0; r < offer.room.length; r++) if ((other.room[r] ?? 0) < (offer.room[r] ?? 0)) return false;
  if (!problem.limitsLeft) return true;
  for (let r = 0; r < problem.limitsLeft.length; r++)
    if ((other.limitUsage?.[r] ?? 0) > (offer.limitUsage?.[r] ?? 0)) return false;
  return true;
}

function describe(
  problem: PackingProblem,
  groups: ItemGroups,
  { signatures, kept }: { readonly signatures: Signatures; readonly kept: readonly number[] },
): OfferFrontier {
  const { resources } = problem;
  const masks = groups.masks.length;
  const room = new Float64Array(kept.length * resources);
  const price = new Float64Array(kept.length);
  const unreserved = new Uint8Array(kept.length);
  const allows = new Uint8Array(kept.length * masks);
  const signature = new Uint32Array(kept.length);
  const signatureAllows = new Uint8Array(signatures.masks.length * masks);
  kept.forEach((index, at) => {
    const offer = problem.offers[index];
    if (!offer) return;
    room.set(offer.room.subarray(0, resources), at * resources);
    price[at] = offer.price;
    unreserved[at] = offer.reservation === undefined ? 1 : 0;
    const of = signatures.of[problem.kinds[index] ?? 0] ?? 0;
    signature[at] = of;
    for (const mask of signatures.masks[of] ?? []) {
      allows[at * masks + mask] = 1;
      signatureAllows[of * masks + mask] = 1;
    }
  });
  const candidates = spaceOut(problem, kept, signature);
  return {
    length: kept.length,
    offer: Uint32Array.from(kept),
    price,
    room,
    allows,
    signature,
    signatureAllows,
    unreserved,
    candidates,
  };
}

/** Up to this many offers, all are candidates: with few, each may be the only one that fits well (ADR 0057). */
export const fewOffers = 96;
/** Offers whose prices differ by less than this factor count as the same size. */
const spacing = 1.2;

/** One offer for each proportion of resources, price step, signature and reservation. */
function spaceOut(problem: PackingProblem, kept: readonly number[], signature: Uint32Array): Uint32Array {
  if (kept.length <= fewOffers) return Uint32Array.from(kept.keys());
  const seen = new Set<string>();
  const candidates: number[] = [];
  kept.forEach((index, at) => {
    const offer = problem.offers[index];
    if (offer === undefined) return;
    const key = `${offer.reservation}|${signature[at]}|${sizeStep(offer)}`;
    if (seen.has(key)) return;
    seen.add(key);
    candidates.push(at);
  });
  return Uint32Array.from(candidates);
}

/** Equal for offers of about the same price and proportions. */
function sizeStep({ price, room }: Offer): string {
  let step = `${price > 0 ? Math.floor(Math.log(price) / Math.log(spacing)) : -1e9}`;
  for (let r = 1; r < room.length; r++)
    step += `,${Math.round(2 * Math.log2(((room[r] ?? 0) + 1) / ((room[0] ?? 0) + 1)))}`;
  return step;
}

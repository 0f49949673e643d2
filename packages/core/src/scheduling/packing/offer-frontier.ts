import { ascendingOrder } from '../context/sorted-order.ts';
import { comparePrices } from './cost.ts';
import type { ItemGroups } from './item-groups.ts';
import { offerSignatures, type Signatures } from './offer-signatures.ts';
import type { Offer, PackingProblem } from './packing-problem.ts';

/** The offers worth looking at, cheapest first: no other does all they do for no more money. */
export interface OfferFrontier {
  readonly length: number;
  /** Index into the problem's offers. */
  readonly offer: Uint32Array;
  readonly price: Float64Array;
  /** Frontier offer by frontier offer, resource by resource. */
  readonly room: Float64Array;
  /** 1 where a frontier offer may hold items of a mask: offer × masks + mask. */
  readonly allows: Uint8Array;
  /** Equal for offers that may hold items of the same masks. */
  readonly signature: Uint32Array;
  /** Whether the number of nodes of it is unlimited but for the budget. */
  readonly endless: Uint8Array;
  /** Enough of them to plan with: where there is one of every size, not every size. */
  readonly spaced: Uint32Array;
}

export function offerFrontier(problem: PackingProblem, groups: ItemGroups): OfferFrontier {
  const { offers } = problem;
  const signatures = offerSignatures(groups.masks);
  const kept: number[] = [];
  const keptOf = signatures.masks.map(() => new KeptOffers(problem));
  for (const index of cheapestFirst(offers)) {
    const offer = offers[index];
    const signature = signatures.of[problem.kinds[index] ?? 0] ?? 0;
    if (offer === undefined || signatures.masks[signature]?.length === 0 || !isUsable(offer)) continue;
    const rivals = signatures.within[signature] ?? [];
    if (rivals.some((rival) => keptOf[rival]?.covers(offer))) continue;
    keptOf[signature]?.add(offer);
    kept.push(index);
  }
  return describe(problem, groups, signatures, kept);
}

/** Of equal prices the roomiest first, as it covers the others. */
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

/** In a plan they come so. */
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

/** Offers of one signature, all of them no dearer than what comes after. */
class KeptOffers {
  readonly #problem: PackingProblem;
  readonly #offers: Offer[] = [];
  /** The most that any has of each resource: what has more is covered by none. */
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

  /** The dearer ones tend to be the larger, so they are asked first. */
  covers(offer: Offer): boolean {
    for (let r = 0; r < this.#most.length; r++) if ((offer.room[r] ?? 0) > (this.#most[r] ?? 0)) return false;
    for (let i = this.#offers.length - 1; i >= 0; i--) {
      const rival = this.#offers[i];
      if (rival !== undefined && covers(rival, offer, this.#problem)) return true;
    }
    return false;
  }
}

/** Whether the other offer, known to be no dearer, can stand in for this one whatever else is bought. */
function covers(other: Offer, offer: Offer, problem: PackingProblem): boolean {
  if (other.stock !== undefined && other.stock !== offer.stock) return false;
  for (let r = 0; r < offer.room.length; r++) if ((other.room[r] ?? 0) < (offer.room[r] ?? 0)) return false;
  if (!problem.budget) return true;
  for (let r = 0; r < problem.budget.length; r++)
    if ((other.footprint?.[r] ?? 0) > (offer.footprint?.[r] ?? 0)) return false;
  return true;
}

function describe(
  problem: PackingProblem,
  groups: ItemGroups,
  signatures: Signatures,
  kept: readonly number[],
): OfferFrontier {
  const { resources } = problem;
  const masks = groups.masks.length;
  const room = new Float64Array(kept.length * resources);
  const price = new Float64Array(kept.length);
  const endless = new Uint8Array(kept.length);
  const allows = new Uint8Array(kept.length * masks);
  const signature = new Uint32Array(kept.length);
  kept.forEach((index, at) => {
    const offer = problem.offers[index];
    if (!offer) return;
    room.set(offer.room.subarray(0, resources), at * resources);
    price[at] = offer.price;
    endless[at] = offer.stock === undefined ? 1 : 0;
    signature[at] = signatures.of[problem.kinds[index] ?? 0] ?? 0;
    for (const mask of signatures.masks[signature[at] ?? 0] ?? []) allows[at * masks + mask] = 1;
  });
  const spaced = spaceOut(problem, kept, signature);
  return {
    length: kept.length,
    offer: Uint32Array.from(kept),
    price,
    room,
    allows,
    signature,
    endless,
    spaced,
  };
}

/** So many are all looked at: with few nodes to choose from, each may be the only one that fits well. */
export const fewOffers = 64;
/** Prices within this factor count as the same size. */
const spacing = 1.2;

/** One of each shape, price step and set of masks; all of those limited in number. */
function spaceOut(problem: PackingProblem, kept: readonly number[], signature: Uint32Array): Uint32Array {
  if (kept.length <= fewOffers) return Uint32Array.from(kept.keys());
  const seen = new Set<string>();
  const spaced: number[] = [];
  kept.forEach((index, at) => {
    const offer = problem.offers[index];
    if (offer === undefined) return;
    const key = `${offer.stock}|${signature[at]}|${sizeStep(offer)}`;
    if (seen.has(key)) return;
    seen.add(key);
    spaced.push(at);
  });
  return Uint32Array.from(spaced);
}

/** The same for offers of about the same price and proportions. */
function sizeStep({ price, room }: Offer): string {
  let step = `${price > 0 ? Math.floor(Math.log(price) / Math.log(spacing)) : -1e9}`;
  for (let r = 1; r < room.length; r++)
    step += `,${Math.round(2 * Math.log2(((room[r] ?? 0) + 1) / ((room[0] ?? 0) + 1)))}`;
  return step;
}

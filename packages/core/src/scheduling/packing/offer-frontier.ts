import type { ItemGroups } from './item-groups.ts';
import { maskAllows } from './mask-classes.ts';
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
  /** Whether the number of machines of it is unlimited but for the budget. */
  readonly endless: Uint8Array;
  /** Enough of them to plan with: where there is one of every size, not every size. */
  readonly spaced: Uint32Array;
}

export function offerFrontier(problem: PackingProblem, groups: ItemGroups): OfferFrontier {
  const usable = problem.offers
    .map((offer, index) => ({ offer, index }))
    .filter(({ offer }) => Number.isFinite(offer.price) && offer.room.every((amount) => amount >= 0));
  usable.sort((a, b) => a.offer.price - b.offer.price || roomiest(a.offer, b.offer) || a.index - b.index);
  const signatures = new Map<string, Kept>();
  const kept: number[] = [];
  for (const { offer, index } of usable) {
    const masks = masksOf(groups, index);
    if (masks.length === 0) continue;
    const key = masks.join();
    const known = signatures.get(key) ?? { masks: new Set(masks), offers: [] };
    signatures.set(key, known);
    if (isCovered(offer, masks, problem, known, signatures)) continue;
    known.offers.push(offer);
    kept.push(index);
  }
  return describe(problem, groups, kept);
}

interface Kept {
  readonly masks: ReadonlySet<number>;
  readonly offers: Offer[];
}

const roomiest = (a: Offer, b: Offer): number => {
  for (let r = 0; r < a.room.length; r++) {
    const difference = (b.room[r] ?? 0) - (a.room[r] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

function masksOf(groups: ItemGroups, offer: number): number[] {
  const masks: number[] = [];
  for (let mask = 0; mask < groups.masks.length; mask++)
    if (maskAllows(groups.masks, mask, offer)) masks.push(mask);
  return masks;
}

/** Comparing across signatures is quadratic in their number, so with many only equals are compared. */
const fewSignatures = 32;

function isCovered(
  offer: Offer,
  masks: readonly number[],
  problem: PackingProblem,
  own: Kept,
  signatures: ReadonlyMap<string, Kept>,
): boolean {
  if (own.offers.some((other) => covers(other, offer, problem))) return true;
  if (signatures.size > fewSignatures) return false;
  for (const kept of signatures.values()) {
    if (kept === own || kept.masks.size < masks.length || !masks.every((mask) => kept.masks.has(mask)))
      continue;
    if (kept.offers.some((other) => covers(other, offer, problem))) return true;
  }
  return false;
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

function describe(problem: PackingProblem, groups: ItemGroups, kept: readonly number[]): OfferFrontier {
  const { resources } = problem;
  const room = new Float64Array(kept.length * resources);
  const price = new Float64Array(kept.length);
  const endless = new Uint8Array(kept.length);
  const allows = new Uint8Array(kept.length * groups.masks.length);
  kept.forEach((index, at) => {
    const offer = problem.offers[index];
    if (!offer) return;
    room.set(offer.room.subarray(0, resources), at * resources);
    price[at] = offer.price;
    endless[at] = offer.stock === undefined ? 1 : 0;
    for (const mask of masksOf(groups, index)) allows[at * groups.masks.length + mask] = 1;
  });
  const spaced = spaceOut(problem, kept, (at) =>
    allows.subarray(at * groups.masks.length, (at + 1) * groups.masks.length),
  );
  return { length: kept.length, offer: Uint32Array.from(kept), price, room, allows, endless, spaced };
}

/** Prices within this factor count as the same size. */
const spacing = 1.04;

/** One of each shape, price step and set of masks; all of those limited in number. */
function spaceOut(
  problem: PackingProblem,
  kept: readonly number[],
  masksAt: (at: number) => Uint8Array,
): Uint32Array {
  const seen = new Set<string>();
  const spaced: number[] = [];
  kept.forEach((index, at) => {
    const { price = 0, room = new Float64Array(0), stock } = problem.offers[index] ?? {};
    const step = price > 0 ? Math.floor(Math.log(price) / Math.log(spacing)) : -1e9;
    const shape = Array.from(room, (amount) =>
      Math.round(2 * Math.log2((amount + 1) / ((room[0] ?? 0) + 1))),
    );
    const key = `${stock}|${step}|${shape.join()}|${masksAt(at).join()}`;
    if (seen.has(key)) return;
    seen.add(key);
    spaced.push(at);
  });
  return Uint32Array.from(spaced);
}

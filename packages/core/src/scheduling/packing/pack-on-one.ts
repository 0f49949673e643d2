import { comparePrices } from './cost.ts';
import type { Offer, PackedNode, PackingItem, PackingProblem } from './packing-problem.ts';

/**
 * All items on the cheapest node with room for them; undefined if they may not share a node or no offer is large
 * enough.
 */
export function packOnOne(problem: PackingProblem): PackedNode | undefined {
  const { offers, kinds, items, limitsLeft } = problem;
  if (!mayShare(problem)) return undefined;
  const total = totalOf(problem);
  const isPossible = ({ room, limitUsage }: Offer, index: number) =>
    items.every((item) => isAllowed(item, kinds[index] ?? 0)) &&
    isWithin(total, room) &&
    (limitsLeft === undefined || limitUsage === undefined || isWithin(limitUsage, limitsLeft));
  const possible = offers
    .map((offer, index) => ({ offer, index }))
    .filter(({ offer, index }) => isPossible(offer, index));
  const [best] = possible.sort((a, b) => comparePrices(a.offer.price, b.offer.price) || a.index - b.index);
  if (best === undefined) return undefined;
  return { times: 1, offer: best.index, contents: items.map(({ count }, index) => [index, count] as const) };
}

/** Says afterwards whether it packed anything, so that a plan that it did not influence is not made again without it. */
export function observedPackOnOne(): ObservedPackOnOne {
  let isUsed = false;
  const pack = (problem: PackingProblem) => {
    const packed = packOnOne(problem);
    isUsed ||= packed !== undefined;
    return packed;
  };
  return { packOnOne: pack, isUsed: () => isUsed };
}

interface ObservedPackOnOne {
  readonly packOnOne: typeof packOnOne;
  readonly isUsed: () => boolean;
}

function mayShare({ items, caps, conflicts }: PackingProblem): boolean {
  const countOf = (members: readonly number[]) =>
    members.reduce((sum, index) => sum + (items[index]?.count ?? 0), 0);
  return conflicts.length === 0 && caps.every(({ items: members, most }) => countOf(members) <= most);
}

function totalOf({ items, resources }: PackingProblem): Float64Array {
  return new Float64Array(resources).map((_, axis) =>
    items.reduce((sum, { size, count }) => sum + count * (size[axis] ?? 0), 0),
  );
}

function isAllowed({ offers }: PackingItem, kind: number): boolean {
  return ((offers[kind >>> 5] ?? 0) & (1 << (kind & 31))) !== 0;
}

/** A request of zero fits even where the resource is missing. */
function isWithin(requested: Float64Array, room: Float64Array): boolean {
  return requested.every((amount, axis) => amount <= 0 || amount <= (room[axis] ?? 0));
}

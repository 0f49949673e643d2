import { addTo, fitsInto } from '../context/resource-axes.ts';
import type { NodeTemplate, TemplateOffer } from '../instance-types/node-template.ts';
import { intersectionOf } from '../instance-types/offer-mask.ts';
import { Allowance } from '../limits/limits.ts';
import type { LoadContent } from '../new-nodes/node-load.ts';
import { type Cost, comparePrices } from '../packing/cost.ts';
import type { PoolPacking } from '../packing/item-packing.ts';
import type { PackedNode } from '../packing/packing-problem.ts';
import { itemConstraints } from '../placement/item-constraints.ts';
import type { PlacementItem } from '../placement/placement-item.ts';

/** With more pairs of item and node than this, the savings are not worth the time (ADR 0012). */
const maxPairs = 20_000;

/** A planned node that its NodePool needs in any case. */
interface OpenNode {
  contents: readonly LoadContent[];
  /** Index into the offers of its pool. */
  offer: number;
  /** What the nodes of its pool leave of the limits. */
  readonly allowance: Allowance;
}

/**
 * Room on planned nodes of pools with less weight, which costs nothing. Karpenter lets a pod join any node of
 * the plan it is compatible with; the weight of NodePools decides only which pool creates the next node.
 */
export class SpareCapacity {
  readonly #open = new Map<PoolPacking, OpenNode[]>();
  /** Pools whose pods stay, because their limits bind. */
  readonly #full: ReadonlySet<NodeTemplate>;

  /** @param short NodePools that could not take all of their pods; those without limits are ignored */
  constructor(short: readonly PoolPacking[]) {
    const limited = short.filter(({ template }) => template.remaining !== undefined);
    this.#full = new Set(limited.map(({ template }) => template));
  }

  /**
   * From now on pods of other pools may join the nodes of this one. Call it for the pool with the least weight first:
   * pods may only join nodes of pools with less weight than their own.
   */
  offerNodesOf(packing: PoolPacking): void {
    const { template, items, nodes } = packing;
    // One for all nodes of the pool, because they share its limits.
    const allowance = new Allowance(template.remaining);
    const open = nodes.flatMap(({ contents, offer, times }) => {
      allowance.spend(template.offers[offer]?.limitUsage ?? nothing, times);
      return Array.from({ length: times }, () => ({
        offer,
        contents: contents.flatMap(contentOf(items)),
        allowance,
      }));
    });
    this.#open.set(packing, mayChangeNodes(template) ? [] : open);
  }

  /**
   * Reserves room for as many units of an item as fit, and returns how many. Items of NodePools whose limits bind
   * stay, because the limits that they leave would have to be given to other pods first. So do items that may use a
   * capacity reservation, which is paid for already.
   */
  reserve(item: PlacementItem): number {
    const { template: own } = item;
    if (this.#full.has(own) || own.reservedOffers.length > 0 || item.isSharedHost) return 0;
    let reserved = 0;
    for (const [{ template }, nodes] of this.#open) {
      const joining = nodes.length === 0 ? undefined : item.elsewhere?.(template);
      if (joining === undefined) continue;
      for (const node of nodes) {
        while (reserved < item.count && join(template, node, joining)) reserved++;
      }
    }
    return reserved;
  }

  /** The packings with the pods that joined their nodes, in the order of weight. */
  get packings(): readonly PoolPacking[] {
    return [...this.#open].reverse().map(([packing, open]) => {
      if (open.length === 0) return packing;
      const items = [...new Set(open.flatMap(({ contents }) => contents.map(({ item }) => item)))];
      const indexes = new Map(items.map((item, index) => [item, index]));
      const nodes = open.map(({ offer, contents }) => ({
        times: 1,
        offer,
        contents: contents.map(({ item, count }) => [indexes.get(item) ?? 0, count] as const),
      }));
      return { ...packing, items, nodes };
    });
  }
}

/** Whether several pools have nodes, and few enough to search. */
export function mayHaveSpareCapacity(packings: readonly PoolPacking[]): boolean {
  const used = packings.filter(({ nodes }) => nodes.length > 0);
  const items = used.reduce((sum, packing) => sum + packing.items.length, 0);
  const nodes = used.reduce((sum, packing) => sum + packing.nodes.length, 0);
  return used.length > 1 && items * nodes <= maxPairs;
}

/** Whether every unit of every item has a node. */
export function holdsAll({ items, nodes }: PoolPacking): boolean {
  const units = items.reduce((sum, { count }) => sum + count, 0);
  const packed = nodes.reduce(
    (sum, { times, contents }) => sum + times * contents.reduce((own, [, count]) => own + count, 0),
    0,
  );
  return packed >= units;
}

export function costOf(packings: readonly PoolPacking[]): Cost {
  let price = 0;
  let count = 0;
  for (const { template, nodes } of packings) {
    for (const { offer, times } of nodes) {
      price += times * (template.offers[offer]?.price ?? 0);
      count += times;
    }
  }
  return { price, nodes: count };
}

function contentOf(items: readonly PlacementItem[]) {
  return ([index, count]: PackedNode['contents'][number]): LoadContent[] => {
    const item = items[index];
    return item === undefined ? [] : [{ item, count }];
  };
}

/** Nodes with `minValues` may have to be divided, and nodes for pods that wait for reservations may not be created. */
function mayChangeNodes({ requirements, reservedOffers }: NodeTemplate): boolean {
  return reservedOffers.length > 0 || requirements.entries.some(({ minValues }) => minValues !== undefined);
}

function join(template: NodeTemplate, node: OpenNode, joining: PlacementItem): boolean {
  const known = node.contents.find(({ item }) => item === joining);
  const grown = { item: joining, count: (known?.count ?? 0) + 1 };
  const contents = [...node.contents.filter((content) => content !== known), grown];
  const before = template.offers[node.offer];
  if (before === undefined) return false;
  const offer = offerFor({ template, before, allowance: node.allowance }, contents);
  if (offer === undefined || !mayShare(contents)) return false;
  node.allowance.spend(growthOf(before, offer));
  node.contents = contents;
  node.offer = offer.index;
  return true;
}

const nothing = new Float64Array(0);

/** How much more one offer uses of the limits than another. */
function growthOf(before: TemplateOffer, offer: TemplateOffer): Float64Array {
  return offer.limitUsage.map((amount, axis) => amount - (before.limitUsage[axis] ?? 0));
}

interface Exchange {
  readonly template: NodeTemplate;
  readonly before: TemplateOffer;
  readonly allowance: Allowance;
}

/** The offer of the node, or another that costs no more, has room for all and is within the limits. */
function offerFor(
  { template, before, allowance }: Exchange,
  contents: readonly LoadContent[],
): TemplateOffer | undefined {
  const mask = contents.map(({ item }) => item.mask).reduce(intersectionOf);
  const total = new Float64Array(contents[0]?.item.size.length ?? 0);
  for (const { item, count } of contents) addTo(total, item.size, count);
  const isAllowed = (growth: Float64Array) =>
    growth.every((amount) => amount <= 0) || allowance.affords(growth);
  const isAsCheap = (offer: TemplateOffer) =>
    comparePrices(offer.price, before.price) <= 0 && isAllowed(growthOf(before, offer));
  return [before, ...template.offers].find(
    (offer) =>
      (offer === before || isAsCheap(offer)) &&
      template.kinds.allows(mask, offer) &&
      fitsInto(total, offer.room),
  );
}

function mayShare(contents: readonly LoadContent[]): boolean {
  const { caps, conflicts } = itemConstraints(contents.map(({ item }) => item));
  if (conflicts.length > 0) return false;
  return caps.every(
    ({ items, most }) => items.reduce((sum, index) => sum + (contents[index]?.count ?? 0), 0) <= most,
  );
}

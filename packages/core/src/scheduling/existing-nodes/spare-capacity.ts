import { addTo, fitsInto } from '../context/resource-axes.ts';
import type { NodeTemplate, TemplateOffer } from '../instance-types/node-template.ts';
import { intersectionOf } from '../instance-types/offer-mask.ts';
import { Allowance } from '../limits/limits.ts';
import { type Cost, comparePrices } from '../packing/cost.ts';
import type { PoolPacking } from '../packing/item-packing.ts';
import type { Machine } from '../packing/packing-problem.ts';
import { itemConstraints } from '../placement/item-constraints.ts';
import type { PlacementItem } from '../placement/placement-item.ts';

/** Beyond so many items times machines the search takes longer than it is worth. */
const mostPairs = 20_000;

interface Content {
  readonly item: PlacementItem;
  readonly count: number;
}

/** A machine that a pool needs anyway. */
interface Host {
  contents: readonly Content[];
  offer: number;
  /** What the machines of its pool leave of the limits. */
  readonly allowance: Allowance;
}

/**
 * Finds room on the machines of lighter pools, where it costs nothing: a pod may join any node of a plan, weight
 * only says which pool makes the next.
 */
export class SpareCapacity {
  readonly #hosts = new Map<PoolPacking, Host[]>();
  /** Pools that keep their pods because their limits bind. */
  readonly #bound: ReadonlySet<NodeTemplate>;

  /** @param short pools that have more pods than room, if they have limits */
  constructor(short: readonly PoolPacking[]) {
    const limited = short.filter(({ template }) => template.remaining !== undefined);
    this.#bound = new Set(limited.map(({ template }) => template));
  }

  /** The machines of a pool are hosts from now on. */
  invite(packing: PoolPacking): void {
    const { template, items, machines } = packing;
    const allowance = new Allowance(template.remaining);
    const hosts = machines.flatMap(({ contents, offer, times }) => {
      allowance.spend(template.offers[offer]?.footprint ?? nothing, times);
      return Array.from({ length: times }, () => ({
        offer,
        contents: contents.flatMap(contentOf(items)),
        allowance,
      }));
    });
    this.#hosts.set(packing, isChoosy(template) ? [] : hosts);
  }

  /**
   * Seats as many units of an item as there is room for; says how many. What limits have divided between pools
   * stays where it is, as room that is left open there would have to be filled first; so does what may be in a
   * capacity reservation, which is paid for already.
   */
  seat(item: PlacementItem): number {
    const { template: own } = item;
    if (this.#bound.has(own) || own.reservedOffers.length > 0 || item.isSharedHost) return 0;
    let seated = 0;
    for (const [{ template }, hosts] of this.#hosts) {
      const guest = hosts.length === 0 ? undefined : item.elsewhere?.(template);
      if (guest === undefined) continue;
      for (const host of hosts) {
        while (seated < item.count && join(template, host, guest)) seated++;
      }
    }
    return seated;
  }

  /** The pools with what their machines now hold, the heaviest first. */
  get packings(): readonly PoolPacking[] {
    return [...this.#hosts].reverse().map(([packing, hosts]) => {
      if (hosts.length === 0) return packing;
      const items = [...new Set(hosts.flatMap(({ contents }) => contents.map(({ item }) => item)))];
      const indexes = new Map(items.map((item, index) => [item, index]));
      const machines = hosts.map(({ offer, contents }) => ({
        times: 1,
        offer,
        contents: contents.map(({ item, count }) => [indexes.get(item) ?? 0, count] as const),
      }));
      return { ...packing, items, machines };
    });
  }
}

/** Whether there are hosts and guests at all, and few enough. */
export function mayHaveSpareCapacity(packings: readonly PoolPacking[]): boolean {
  const used = packings.filter(({ machines }) => machines.length > 0);
  const items = used.reduce((sum, packing) => sum + packing.items.length, 0);
  const machines = used.reduce((sum, packing) => sum + packing.machines.length, 0);
  return used.length > 1 && items * machines <= mostPairs;
}

/** Whether every unit has a machine. */
export function holdsAll({ items, machines }: PoolPacking): boolean {
  const units = items.reduce((sum, { count }) => sum + count, 0);
  const packed = machines.reduce(
    (sum, { times, contents }) => sum + times * contents.reduce((own, [, count]) => own + count, 0),
    0,
  );
  return packed >= units;
}

export function costOf(packings: readonly PoolPacking[]): Cost {
  let price = 0;
  let nodes = 0;
  for (const { template, machines } of packings) {
    for (const { offer, times } of machines) {
      price += times * (template.offers[offer]?.offering.price ?? 0);
      nodes += times;
    }
  }
  return { price, nodes };
}

function contentOf(items: readonly PlacementItem[]) {
  return ([index, count]: Machine['contents'][number]): Content[] => {
    const item = items[index];
    return item === undefined ? [] : [{ item, count }];
  };
}

/** A pool that asks for variety may have to split what is full; one with reservations may not make all its machines. */
function isChoosy({ requirements, reservedOffers }: NodeTemplate): boolean {
  return reservedOffers.length > 0 || requirements.entries.some(({ minValues }) => minValues !== undefined);
}

function join(template: NodeTemplate, host: Host, guest: PlacementItem): boolean {
  const known = host.contents.find(({ item }) => item === guest);
  const grown = { item: guest, count: (known?.count ?? 0) + 1 };
  const contents = [...host.contents.filter((content) => content !== known), grown];
  const before = template.offers[host.offer];
  if (before === undefined) return false;
  const offer = offerFor(template, before, contents, host.allowance);
  if (offer === undefined || !mayShare(contents)) return false;
  host.allowance.spend(growthOf(before, offer));
  host.contents = contents;
  host.offer = offer.index;
  return true;
}

const nothing = new Float64Array(0);

/** How much more one machine takes of the limits than another. */
function growthOf(before: TemplateOffer, offer: TemplateOffer): Float64Array {
  return offer.footprint.map((amount, axis) => amount - (before.footprint[axis] ?? 0));
}

/** The machine as it was bought, or another that costs no more, holds all and is within the limits. */
function offerFor(
  template: NodeTemplate,
  before: TemplateOffer,
  contents: readonly Content[],
  allowance: Allowance,
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

function mayShare(contents: readonly Content[]): boolean {
  const { caps, conflicts } = itemConstraints(contents.map(({ item }) => item));
  if (conflicts.length > 0) return false;
  return caps.every(
    ({ items, most }) => items.reduce((sum, index) => sum + (contents[index]?.count ?? 0), 0) <= most,
  );
}

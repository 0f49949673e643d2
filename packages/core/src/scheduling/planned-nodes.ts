import { labelKeys } from '../api/index.ts';
import { Requirement, Requirements, relaxMinValues } from '../requirements/index.ts';
import { Allowance } from './limits.ts';
import type { NodeTemplate, TemplateOffer } from './node-template.ts';
import { intersectionOf } from './offer-mask.ts';
import type { Machine } from './packing/packing-problem.ts';
import type { PlacementItem } from './placement-item.ts';
import type { PlannedNode } from './plan-result.ts';
import { addTo, howManyFit } from './resource-axes.ts';
import { offersHolding, varietyShortfalls } from './variety.ts';
import type { World } from './world.ts';

const mostInstanceTypes = 600;

/** Labels that exist only while planning. */
const planningLabels = [labelKeys.hostname, labelKeys.registered, labelKeys.initialized];

/** Makes the NodeClaims of one pool out of the machines that were bought for it, and hands out their pods. */
export class NodeMaker {
  readonly #world: World;
  readonly #template: NodeTemplate;
  readonly #items: readonly PlacementItem[];
  readonly #allowance: Allowance;
  /** Machines that take more of the limits than was counted, or cannot be had as they are. */
  readonly #doubtful: Load[] = [];

  constructor(world: World, template: NodeTemplate, items: readonly PlacementItem[]) {
    this.#world = world;
    this.#template = template;
    this.#items = items;
    this.#allowance = new Allowance(template.remaining);
  }

  /** Nodes for machines filled alike; under limits only if they are what was counted. */
  make({ contents, offer, times }: Machine): readonly PlannedNode[] {
    const load = contents.flatMap(([index, count]) => {
      const item = this.#items[index];
      return item === undefined ? [] : [{ item, count }];
    });
    if (!this.#allowance.isLimited) return this.#unlimited(load, times);
    const counted = this.#template.offers[offer]?.of.footprint ?? new Float64Array();
    const offers = this.#offersFor(load).filter(({ of }) => isNoLarger(of.footprint, counted));
    const requirements = requirementsOf(load);
    if (varietyShortfalls(requirements, offers).length > 0 || !this.#allowance.affords(counted, times)) {
      for (let i = 0; i < times; i++) this.#doubtful.push(load);
      return [];
    }
    this.#allowance.spend(counted, times);
    return this.#nodes({ load, requirements, offers }, times);
  }

  /** What the limits still allow after all that was counted: larger machines for variety, then one more node each. */
  makeRest(): readonly PlannedNode[] {
    if (!this.#allowance.isLimited) return [];
    const nodes = this.#doubtful.flatMap((load) => this.#limited(load));
    for (const item of this.#items.filter(({ isGuest }) => !isGuest)) {
      for (let made = this.#oneMore(item); made.length > 0; made = this.#oneMore(item)) nodes.push(...made);
    }
    return nodes;
  }

  /** One node for the units of an item that were found room for. */
  makeFor(item: PlacementItem): readonly PlannedNode[] {
    return this.#limited([{ item, count: item.count }]);
  }

  /** How many of the units that are left go on the node within the limits that has the lowest price for each. */
  roomFor(item: PlacementItem, left: number): number {
    const most = isKeptApart(item) ? 1 : left;
    let best = { count: 0, price: Number.POSITIVE_INFINITY };
    for (const { of, offering, room } of this.#offersFor([{ item, count: 1 }])) {
      if (!this.#allowance.affords(of.footprint)) continue;
      const count = Math.min(most, howManyFit(item.size, room));
      if (offering.price / count < best.price) best = { count, price: offering.price / count };
    }
    return (
      [best.count, 1].find((count) => count > 0 && this.#affordable([{ item, count }]) !== undefined) ?? 0
    );
  }

  #unlimited(load: Load, times: number): readonly PlannedNode[] {
    const draft = this.#varied(load, this.#offersFor(load));
    if (draft !== undefined) return this.#nodes(draft, times);
    return halvesOf(load).flatMap((half) => this.#unlimited(half, times));
  }

  #affordable(load: Load): Draft | undefined {
    const offers = this.#offersFor(load).filter(({ of }) => this.#allowance.affords(of.footprint));
    return this.#smallest(load, offers);
  }

  #limited(load: Load): readonly PlannedNode[] {
    const draft = this.#affordable(load);
    if (draft === undefined) return halvesOf(load).flatMap((half) => this.#limited(half));
    this.#allowance.spend(largestOf(draft.offers));
    return this.#nodes(draft, 1);
  }

  #oneMore(item: PlacementItem): readonly PlannedNode[] {
    const left = item.isSharedHost ? Math.min(1, podsLeft(item)) : podsLeft(item);
    const count = left === 0 ? 0 : this.roomFor(item, left);
    return count === 0 ? [] : this.#limited([{ item, count }]);
  }

  /** All offers that hold the pods, the cheapest first. */
  #offersFor(load: Load): readonly TemplateOffer[] {
    const mask = load.map(({ item }) => item.mask).reduce(intersectionOf);
    return offersHolding(this.#template, mask, sizeOf(load));
  }

  /** The load on these offers, if their types offer as many values as asked; a single unit may be asked for less. */
  #varied(load: Load, offers: readonly TemplateOffer[]): Draft | undefined {
    if (offers.length === 0) return undefined;
    const requirements = requirementsOf(load);
    const shortfalls = varietyShortfalls(requirements, offers);
    if (shortfalls.length === 0) return { load, requirements, offers };
    if (this.#world.options.minValuesPolicy === 'Strict' || unitsOf(load) > 1) return undefined;
    return { load, requirements: relaxMinValues(requirements, shortfalls), offers };
  }

  /** On the cheapest machine and those no larger, and as many more of the cheapest as variety asks for. */
  #smallest(load: Load, offers: readonly TemplateOffer[]): Draft | undefined {
    const draft = this.#varied(load, offers);
    const [first] = offers;
    if (draft === undefined || first === undefined) return undefined;
    const { requirements } = draft;
    const enough = offers.findIndex(
      (_, index) => varietyShortfalls(requirements, offers.slice(0, index + 1)).length === 0,
    );
    const largest = largestOf(offers.slice(0, enough + 1));
    return { ...draft, offers: offers.filter(({ of }) => isNoLarger(of.footprint, largest)) };
  }

  #nodes({ load, requirements, offers }: Draft, times: number): readonly PlannedNode[] {
    const shared = {
      nodePool: this.#template.name,
      requirements: claimRequirements(this.#world, requirements, offers),
      instanceTypes: typesByPrice(offers),
      requests: requestsOf(this.#world, load, offers),
      price: offers[0]?.offering.price ?? 0,
    };
    return Array.from({ length: times }, () => ({ ...shared, pods: load.flatMap(takePods) }));
  }
}

/** Items on one machine. */
type Load = readonly Content[];

interface Content {
  readonly item: PlacementItem;
  readonly count: number;
}

interface Draft {
  readonly load: Load;
  readonly requirements: Requirements;
  readonly offers: readonly TemplateOffer[];
}

/** The same contents on two machines, each of which more types can hold; none of a single unit. */
function halvesOf(load: Load): readonly Load[] {
  const units = load.flatMap(({ item, count }) => Array.from({ length: count }, () => item));
  if (units.length < 2) return [];
  const middle = units.length >>> 1;
  return [units.slice(0, middle), units.slice(middle)].map((half) => {
    const counts = new Map<PlacementItem, number>();
    for (const item of half) counts.set(item, (counts.get(item) ?? 0) + 1);
    return [...counts].map(([item, count]) => ({ item, count }));
  });
}

function unitsOf(load: Load): number {
  return load.reduce((sum, { count }) => sum + count, 0);
}

function podsLeft({ members }: PlacementItem): number {
  return members.reduce((sum, { pods }) => sum + pods.length, 0);
}

/** Whether units of the item may have to keep away from each other. */
function isKeptApart({ members }: PlacementItem): boolean {
  return members.some(
    ({ podClass, hostGroups }) =>
      podClass.hostPorts.length + hostGroups.required.length + hostGroups.wished.length > 0,
  );
}

function takePods({ item, count }: Content): string[] {
  return item.members.flatMap(({ pods }) => pods.splice(0, item.isSharedHost ? pods.length : count));
}

function requirementsOf(load: Load): Requirements {
  return load
    .map(({ item }) => item.requirements)
    .reduce((all, next) => (all === next ? all : all.and(next)));
}

/** The cloud may launch any type of the list, so none may take more of the limits than the one that was counted. */
function isNoLarger(footprint: Float64Array, counted: Float64Array): boolean {
  return footprint.every((amount, axis) => amount <= (counted[axis] ?? 0));
}

function largestOf(offers: readonly TemplateOffer[]): Float64Array {
  const largest = new Float64Array(offers[0]?.of.footprint.length ?? 0);
  for (const { of } of offers) {
    for (const [axis, amount] of of.footprint.entries()) largest[axis] = Math.max(largest[axis] ?? 0, amount);
  }
  return largest;
}

/** Offers come the cheapest first; only so many types fit into a NodeClaim. */
function typesByPrice(offers: readonly TemplateOffer[]): readonly string[] {
  return [...new Set(offers.map(({ of }) => of.type.name))].slice(0, mostInstanceTypes);
}

/** What the pods together require, and of capacity types only those that can be had. */
function claimRequirements({ vocabulary }: World, joined: Requirements, offers: readonly TemplateOffer[]) {
  const capacityType = vocabulary.key(labelKeys.capacityType);
  const available = new Set<string>();
  for (const offering of new Set(offers.map((offer) => offer.offering.requirements.find(capacityType)))) {
    for (const value of offering?.values() ?? [])
      if (joined.get(capacityType).has(value)) available.add(value);
  }
  const stated = joined.without(...planningLabels.map((name) => vocabulary.key(name)));
  return Requirements.of([
    ...stated.entries,
    ...(available.size === 0 ? [] : [Requirement.in(capacityType, [...available])]),
  ]).toItems();
}

/** Of the pods, and once of the daemons: the least of each resource that every type still possible would run. */
function requestsOf({ axes }: World, load: Load, offers: readonly TemplateOffer[]) {
  const total = sizeOf(load);
  const [first, ...others] = new Set(offers.map(({ of }) => of.daemonSize));
  for (const [axis, amount] of first?.entries() ?? []) {
    const least = others.reduce((smallest, size) => Math.min(smallest, size[axis] ?? 0), amount);
    total[axis] = (total[axis] ?? 0) + least;
  }
  return axes.texts(total);
}

function sizeOf(load: Load): Float64Array {
  const total = new Float64Array(load[0]?.item.size.length ?? 0);
  for (const { item, count } of load) addTo(total, item.size, count);
  return total;
}

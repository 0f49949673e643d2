import { labelKeys } from '../api/index.ts';
import { type LabelKey, Requirement, Requirements } from '../requirements/index.ts';
import type { ChoiceExplainer, DecidedMachine } from './choice-explainer.ts';
import type { NodeTemplate, TemplateOffer } from './node-template.ts';
import { intersectionOf } from './offer-mask.ts';
import type { Machine } from './packing/packing-problem.ts';
import type { PlacementItem } from './placement-item.ts';
import type { PlannedNode } from './plan-result.ts';
import { addTo } from './resource-axes.ts';
import { varietyShortfalls } from './variety.ts';
import type { World } from './world.ts';

const mostInstanceTypes = 600;

/** Labels that exist only while planning. */
const planningLabels = [labelKeys.hostname, labelKeys.registered, labelKeys.initialized];

export interface PoolMachines {
  readonly world: World;
  readonly explainer: ChoiceExplainer;
  readonly template: NodeTemplate;
  readonly items: readonly PlacementItem[];
  /** Whether pods wait for a capacity reservation unless there is a node for others that they can join. */
  readonly mustWait: (item: PlacementItem) => boolean;
}

/** Some units of an item on one machine. */
export interface Content {
  readonly item: PlacementItem;
  readonly count: number;
}

/** Turns machines filled alike into the NodeClaims to be made, and hands out their pods. */
export function plannedNodes(pool: PoolMachines, machine: Machine): readonly PlannedNode[] {
  const { world, template } = pool;
  const contents = machine.contents.flatMap(([index, count]) => {
    const item = pool.items[index];
    return item === undefined ? [] : [{ item, count }];
  });
  const id = reservationOf(template, machine);
  if (id === undefined && contents.every(({ item }) => pool.mustWait(item))) return [];
  const mask = contents.map(({ item }) => item.mask).reduce(intersectionOf);
  const offers = offersFor(template, contents, machine);
  if (contents.reduce((sum, { count }) => sum + count, 0) > 1 && !isVariedEnough(contents, offers)) {
    // Two machines would take more of the limits than was counted: the pods go elsewhere.
    if (template.remaining !== undefined) return [];
    return halvesOf(world, template, machine).flatMap((half) => plannedNodes(pool, half));
  }
  const describe = (held: readonly string[]) => describeNode(pool, { contents, mask, fitting: offers, held });
  const withPods = (node: Description) => ({ ...node, pods: contents.flatMap(takePods) });
  if (id !== undefined)
    return Array.from({ length: machine.times }, () =>
      withPods(describe(holdReservations(world, offers, id))),
    );
  const alike = describe([]);
  return Array.from({ length: machine.times }, () => withPods(alike));
}

type Description = Omit<PlannedNode, 'pods'>;

type FilledMachine = Pick<DecidedMachine, 'contents' | 'mask' | 'fitting' | 'held'>;

function describeNode({ world, explainer, template }: PoolMachines, filled: FilledMachine): Description {
  const { contents, fitting, held } = filled;
  const offers =
    template.reservedOffers.length === 0 ? fitting : fitting.filter((offer) => isOpen(offer, held));
  const joined = contents
    .map(({ item }) => item.requirements)
    .reduce((all, next) => (all === next ? all : all.and(next)));
  const size = sizeOf(contents);
  return {
    nodePool: template.name,
    requirements: claimRequirements(world, joined, offers, held),
    instanceTypes: typesByPrice(isVariedEnough(contents, offers) ? offers : [...offers, ...fitting]),
    requests: requestsOf(world, size, offers),
    price: offers[0]?.offering.price ?? 0,
    choice: explainer.explain({ ...filled, template, requirements: joined, size, offers }),
  };
}

function isOpen({ offering }: TemplateOffer, held: readonly string[]): boolean {
  return offering.reservation === undefined ? held.length === 0 : held.includes(offering.reservation.id);
}

function reservationOf({ offers }: NodeTemplate, { offer }: Machine): string | undefined {
  return offers[offer]?.offering.reservation?.id;
}

/**
 * Beside the reservation that the node was packed for, it holds an instance of every other that it could use and
 * that nobody needs, so that the cloud has a choice.
 */
function holdReservations(
  { reservations }: World,
  offers: readonly TemplateOffer[],
  id: string,
): readonly string[] {
  const held = new Set([id]);
  for (const { offering } of offers) {
    const other = offering.reservation?.id;
    if (other === undefined || held.has(other) || reservations.left(other) < 1) continue;
    reservations.take(other, 1);
    held.add(other);
  }
  return [...held];
}

/** Whether the types that hold the pods still offer as many values as the pool asks. */
function isVariedEnough(contents: readonly Content[], offers: readonly TemplateOffer[]): boolean {
  const requirements = contents[0]?.item.requirements;
  return requirements === undefined || varietyShortfalls(requirements, offers).length === 0;
}

/** The same contents on two machines, each of which more types can hold, as far as its reservation goes. */
function halvesOf({ reservations }: World, template: NodeTemplate, machine: Machine): readonly Machine[] {
  const units = machine.contents.flatMap(([item, count]) => Array.from({ length: count }, () => item));
  const middle = units.length >>> 1;
  const [first, second] = [units.slice(0, middle), units.slice(middle)].map((half) => {
    const counts = new Map<number, number>();
    for (const item of half) counts.set(item, (counts.get(item) ?? 0) + 1);
    return { ...machine, contents: [...counts] };
  });
  if (first === undefined || second === undefined) return [];
  const id = reservationOf(template, machine);
  if (id === undefined) return [first, second];
  const times = Math.min(machine.times, reservations.left(id));
  reservations.take(id, times);
  return [first, { ...second, times }];
}

function takePods({ item, count }: Content): string[] {
  return item.members.flatMap(({ pods }) => pods.splice(0, item.isSharedHost ? pods.length : count));
}

/**
 * The available offerings that meet the requirements and hold the pods, zones aside, but where there are limits none of a
 * larger machine than was counted, unless variety asks for it.
 */
function offersFor(
  template: NodeTemplate,
  contents: readonly Content[],
  machine: Machine,
): readonly TemplateOffer[] {
  const masks = contents.map(({ item }) => item.mask);
  const fitting = template.ranking.holding(masks, sizeOf(contents));
  const bought = template.offers[machine.offer];
  if (template.remaining === undefined || bought === undefined) return fitting;
  const counted = fitting.filter(({ of }) => isNoLarger(of.footprint, bought.of.footprint));
  return isVariedEnough(contents, counted) ? counted : fitting;
}

/** The cloud may launch any type of the list, so none may take more of the limits than the one that was counted. */
function isNoLarger(footprint: Float64Array, counted: Float64Array): boolean {
  return footprint.every((amount, axis) => amount <= (counted[axis] ?? 0));
}

/** Offers come the cheapest first; only so many types fit into a NodeClaim. */
function typesByPrice(offers: readonly TemplateOffer[]): readonly string[] {
  return [...new Set(offers.map(({ of }) => of.type.name))].slice(0, mostInstanceTypes);
}

/** What the pods together require, of capacity types only those that can be had, and the reservations it holds. */
function claimRequirements(
  { vocabulary, options }: World,
  joined: Requirements,
  offers: readonly TemplateOffer[],
  held: readonly string[],
) {
  const capacityType = vocabulary.key(labelKeys.capacityType);
  const available = availableValues(joined, capacityType, offers);
  const stated = joined.without(...planningLabels.map((name) => vocabulary.key(name)));
  const idLabel = options.reservedCapacity?.idLabel;
  return Requirements.of([
    ...stated.entries,
    ...(available.length === 0 ? [] : [Requirement.in(capacityType, available)]),
    ...(held.length === 0 || idLabel === undefined ? [] : [Requirement.in(vocabulary.key(idLabel), held)]),
  ]).toItems();
}

function availableValues(joined: Requirements, key: LabelKey, offers: readonly TemplateOffer[]): string[] {
  const available = new Set<string>();
  for (const found of new Set(offers.map(({ offering }) => offering.requirements.find(key)))) {
    for (const value of found?.values() ?? []) if (joined.get(key).has(value)) available.add(value);
  }
  return [...available];
}

/** Of the pods, and once of the daemons: the least of each resource that every type still possible would run. */
function requestsOf({ axes }: World, size: Float64Array, offers: readonly TemplateOffer[]) {
  const total = size.slice();
  const [first, ...others] = new Set(offers.map(({ of }) => of.daemonSize));
  for (const [axis, amount] of first?.entries() ?? []) {
    const least = others.reduce((smallest, each) => Math.min(smallest, each[axis] ?? 0), amount);
    total[axis] = (total[axis] ?? 0) + least;
  }
  return axes.texts(total);
}

function sizeOf(contents: readonly Content[]): Float64Array {
  const total = new Float64Array(contents[0]?.item.size.length ?? 0);
  for (const { item, count } of contents) addTo(total, item.size, count);
  return total;
}

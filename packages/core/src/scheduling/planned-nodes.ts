import { labelKeys } from '../api/index.ts';
import { Requirement, Requirements } from '../requirements/index.ts';
import type { NodeTemplate, TemplateOffer } from './node-template.ts';
import type { Machine } from './packing/packing-problem.ts';
import type { PlacementItem } from './placement-item.ts';
import type { PlannedNode } from './plan-result.ts';
import { addTo } from './resource-axes.ts';
import { varietyShortfalls } from './variety.ts';
import type { World } from './world.ts';

const mostInstanceTypes = 600;

/** Labels that exist only while planning. */
const planningLabels = [labelKeys.hostname, labelKeys.registered, labelKeys.initialized];

/** Turns machines filled alike into the NodeClaims to be made, and hands out their pods. */
export function plannedNodes(
  world: World,
  template: NodeTemplate,
  items: readonly PlacementItem[],
  machine: Machine,
): readonly PlannedNode[] {
  const contents = machine.contents.flatMap(([index, count]) => {
    const item = items[index];
    return item === undefined ? [] : [{ item, count }];
  });
  const offers = offersFor(template, contents, machine);
  if (contents.reduce((sum, { count }) => sum + count, 0) > 1 && !isVariedEnough(contents, offers)) {
    // Two machines would take more of the limits than was counted: the pods go elsewhere.
    if (template.remaining !== undefined) return [];
    return halvesOf(machine).flatMap((half) => plannedNodes(world, template, items, half));
  }
  const shared = {
    nodePool: template.name,
    requirements: claimRequirements(
      world,
      contents.map(({ item }) => item),
      offers,
    ),
    instanceTypes: typesByPrice(offers),
    requests: requestsOf(world, contents, offers),
    price: offers[0]?.offering.price ?? 0,
  };
  return Array.from({ length: machine.times }, () => ({ ...shared, pods: contents.flatMap(takePods) }));
}

/** Whether the types that hold the pods still offer as many values as the pool asks. */
function isVariedEnough(contents: readonly Content[], offers: readonly TemplateOffer[]): boolean {
  const requirements = contents[0]?.item.requirements;
  return requirements === undefined || varietyShortfalls(requirements, offers).length === 0;
}

/** The same contents on two machines, each of which more types can hold. */
function halvesOf(machine: Machine): readonly Machine[] {
  const units = machine.contents.flatMap(([item, count]) => Array.from({ length: count }, () => item));
  const middle = units.length >>> 1;
  return [units.slice(0, middle), units.slice(middle)].map((half) => {
    const counts = new Map<number, number>();
    for (const item of half) counts.set(item, (counts.get(item) ?? 0) + 1);
    return { ...machine, contents: [...counts] };
  });
}

interface Content {
  readonly item: PlacementItem;
  readonly count: number;
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

/** What the pods together require, and of capacity types only those that can be had. */
function claimRequirements(
  { vocabulary }: World,
  items: readonly PlacementItem[],
  offers: readonly TemplateOffer[],
) {
  const joined = items
    .map(({ requirements }) => requirements)
    .reduce((all, next) => (all === next ? all : all.and(next)));
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
function requestsOf({ axes }: World, contents: readonly Content[], offers: readonly TemplateOffer[]) {
  const total = sizeOf(contents);
  const [first, ...others] = new Set(offers.map(({ of }) => of.daemonSize));
  for (const [axis, amount] of first?.entries() ?? []) {
    const least = others.reduce((smallest, size) => Math.min(smallest, size[axis] ?? 0), amount);
    total[axis] = (total[axis] ?? 0) + least;
  }
  return axes.texts(total);
}

function sizeOf(contents: readonly Content[]): Float64Array {
  const total = new Float64Array(contents[0]?.item.size.length ?? 0);
  for (const { item, count } of contents) addTo(total, item.size, count);
  return total;
}

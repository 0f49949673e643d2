import { labelKeys } from '../api/index.ts';
import { Requirement, Requirements } from '../requirements/index.ts';
import {
  minQuantity,
  multiplyQuantity,
  parseResourceList,
  type ResourceList,
  resourceTexts,
  sumResources,
} from '../values/index.ts';
import type { NodeTemplate, TemplateOffer, TemplateType } from './node-template.ts';
import { intersectionOf } from './offer-mask.ts';
import type { Machine } from './packing/packing-problem.ts';
import type { PlacementItem } from './placement-item.ts';
import type { PlannedNode } from './plan-result.ts';
import { addTo } from './resource-axes.ts';
import { offersHolding, varietyShortfalls } from './variety.ts';
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
    requests: requestsOf(contents, offers),
    price: Math.min(...offers.map(({ offering }) => offering.price)),
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
 * Every available offering that meets the requirements and holds the pods, but where there are limits none of a
 * larger machine than was counted, unless variety asks for it.
 */
function offersFor(
  template: NodeTemplate,
  contents: readonly Content[],
  machine: Machine,
): readonly TemplateOffer[] {
  const mask = contents.map(({ item }) => item.mask).reduce(intersectionOf);
  const total = new Float64Array(contents[0]?.item.size.length ?? 0);
  for (const { item, count } of contents) addTo(total, item.size, count);
  const fitting = offersHolding(template, mask, total);
  const bought = template.offers[machine.offer];
  if (template.remaining === undefined || bought === undefined) return fitting;
  const counted = fitting.filter(({ of }) => isNoLarger(of.footprint, bought.of.footprint));
  return isVariedEnough(contents, counted) ? counted : fitting;
}

/** The cloud may launch any type of the list, so none may take more of the limits than the one that was counted. */
function isNoLarger(footprint: Float64Array, counted: Float64Array): boolean {
  return footprint.every((amount, axis) => amount <= (counted[axis] ?? 0));
}

/** The cheapest first; only so many fit into a NodeClaim. */
function typesByPrice(offers: readonly TemplateOffer[]): readonly string[] {
  const cheapest = new Map<string, number>();
  for (const { of, offering } of offers) {
    cheapest.set(
      of.type.name,
      Math.min(cheapest.get(of.type.name) ?? Number.POSITIVE_INFINITY, offering.price),
    );
  }
  return [...cheapest]
    .sort(([a, price], [b, other]) => price - other || (a < b ? -1 : 1))
    .slice(0, mostInstanceTypes)
    .map(([name]) => name);
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

/** Of the pods, and once of the daemons: the least that every type still possible would run. */
function requestsOf(contents: readonly Content[], offers: readonly TemplateOffer[]) {
  const pods = contents.flatMap(({ item, count }) =>
    item.members.map(({ podClass, pods: uids }) =>
      times(parseResourceList(podClass.requests), item.isSharedHost ? uids.length : count),
    ),
  );
  const groups = new Set(offers.map(({ of }) => of.daemons));
  return resourceTexts(sumResources(...pods, leastOverhead([...groups])));
}

/** What the daemons take on every type that is still possible: the least of each resource that all of them take. */
function leastOverhead(groups: readonly TemplateType['daemons'][]): ResourceList {
  const sums = groups.map((daemons) =>
    sumResources(...daemons.map(({ requests }) => parseResourceList(requests))),
  );
  const [first = {}, ...others] = sums;
  return Object.fromEntries(
    Object.entries(first).flatMap(([name, quantity]) => {
      const amounts = others.flatMap((sum) => sum[name] ?? []);
      return amounts.length < others.length ? [] : [[name, amounts.reduce(minQuantity, quantity)]];
    }),
  );
}

function times(list: ResourceList, count: number): ResourceList {
  return Object.fromEntries(
    Object.entries(list).map(([name, quantity]) => [name, multiplyQuantity(quantity, BigInt(count))]),
  );
}

import { addTo } from '../context/resource-axes.ts';
import type { TemplateOffer } from '../instance-types/node-template.ts';
import { intersectionOf } from '../instance-types/offer-mask.ts';
import type { PlacementItem } from '../placement/placement-item.ts';

/** Units of items that share one planned node. */
export interface NodeLoad {
  readonly contents: readonly LoadContent[];
  /** Id of the capacity reservation that the node launches from; absent where it uses other capacity. */
  readonly reservation?: string | undefined;
}

/** Some units of an item on one node. */
export interface LoadContent {
  readonly item: PlacementItem;
  readonly count: number;
}

export function loadOf(item: PlacementItem, count: number): NodeLoad {
  return { contents: [{ item, count }] };
}

/** Whether the node may launch on the offer: only on the reservation that it was packed for, if any. */
export function isOpenTo({ reservation }: NodeLoad, { offering }: TemplateOffer): boolean {
  return offering.reservation?.id === reservation;
}

/**
 * The load divided over two nodes, with as much on the first as is possible there; nothing for a single unit.
 * The binary search assumes that a part of a possible load is possible too.
 */
export function partsOf(
  { contents, reservation }: NodeLoad,
  isPossible: (part: NodeLoad) => boolean,
): readonly NodeLoad[] {
  const units = contents.flatMap(({ item, count }) => Array.from({ length: count }, () => item));
  if (units.length < 2) return [];
  const partOf = (items: readonly PlacementItem[]): NodeLoad => {
    const counts = new Map<PlacementItem, number>();
    for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
    return { reservation, contents: [...counts].map(([item, count]) => ({ item, count })) };
  };
  let most = 1;
  for (let above = units.length; above - most > 1; ) {
    const middle = (most + above) >>> 1;
    if (isPossible(partOf(units.slice(0, middle)))) most = middle;
    else above = middle;
  }
  return [partOf(units.slice(0, most)), partOf(units.slice(most))];
}

/** Kinds of offers that all pods of the load allow. */
export function maskOf({ contents }: NodeLoad): Uint32Array {
  return contents.map(({ item }) => item.mask).reduce(intersectionOf);
}

export function unitsOf({ contents }: NodeLoad): number {
  return contents.reduce((sum, { count }) => sum + count, 0);
}

/** Requests of all its pods together. */
export function sizeOf({ contents }: NodeLoad): Float64Array {
  const total = new Float64Array(contents[0]?.item.size.length ?? 0);
  for (const { item, count } of contents) addTo(total, item.size, count);
  return total;
}

/** Takes the pods of one node out of their items; returns their uids. */
export function takePods({ contents }: NodeLoad): string[] {
  return contents.flatMap(({ item, count }) =>
    item.members.flatMap(({ pods }) => pods.splice(0, item.isSharedHost ? pods.length : count)),
  );
}

/** Pods of the item that are on no node yet. */
export function podsLeft({ members }: PlacementItem): number {
  return members.reduce((sum, { pods }) => sum + pods.length, 0);
}

/** Whether units of the item may have to be on different nodes. */
export function isKeptApart({ members }: PlacementItem): boolean {
  return members.some(
    ({ podClass, hostGroups }) =>
      podClass.hostPorts.length + hostGroups.required.length + hostGroups.preferred.length > 0,
  );
}

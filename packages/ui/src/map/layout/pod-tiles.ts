import type { PageNode } from '@karpenter/core/page-api';
import type { Rectangle } from './rectangle.ts';

type ResourceAmounts = PageNode['requested'];

/** What the layout needs of a pod. */
export interface TiledPod {
  readonly uid: string;
  readonly isDaemon: boolean;
  readonly createdAt: number;
  readonly requests: ResourceAmounts;
}

interface TiledNode {
  readonly allocatable: ResourceAmounts;
  readonly requested: ResourceAmounts;
}

export interface PodTile {
  readonly uid: string;
  /** In shares of the inside of the node. */
  readonly share: Rectangle;
}

/** Pods that request next to nothing stay visible. */
const smallestShare = 0.008;

/**
 * Fills a node from the bottom with its pods: the filled area is the share of the scarcer of CPU and memory that is
 * requested, and each pod's tile is as large as its part of it. Pods keep their order, so a change moves few tiles.
 */
export function podTiles(node: TiledNode, pods: readonly TiledPod[], aspect: number): readonly PodTile[] {
  if (pods.length === 0) return [];
  const sorted = pods.toSorted(
    (a, b) =>
      Number(b.isDaemon) - Number(a.isDaemon) || a.createdAt - b.createdAt || (a.uid < b.uid ? -1 : 1),
  );
  const weights = sorted.map(({ requests }) =>
    Math.max(smallestShare, scarcerShare(requests, node.allocatable)),
  );
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const smallest = Math.min(1, pods.length * smallestShare);
  const filled = Math.min(1, Math.max(smallest, scarcerShare(node.requested, node.allocatable)));
  return strips(
    weights.map((weight) => weight / sum),
    { filled, aspect },
  ).map((share, index) => ({ uid: sorted[index]?.uid ?? '', share }));
}

/** The larger of the shares of CPU and memory; 0 where nothing is allocatable. */
export function scarcerShare(amounts: ResourceAmounts, allocatable: ResourceAmounts): number {
  let most = 0;
  for (const name of ['cpu', 'memory']) {
    const total = allocatable[name] ?? 0;
    if (total > 0) most = Math.max(most, (amounts[name] ?? 0) / total);
  }
  return most;
}

interface StripOptions {
  readonly filled: number;
  /** Width by height of the node. */
  readonly aspect: number;
}

/** Strips of about equal area from the bottom up, as many as make the average tile square. */
function strips(areas: readonly number[], { filled, aspect }: StripOptions): readonly Rectangle[] {
  const count = Math.max(1, Math.min(areas.length, Math.round(Math.sqrt((areas.length * filled) / aspect))));
  const tiles: Rectangle[] = [];
  let bottom = 1;
  for (const strip of equalParts(areas, count)) {
    const area = strip.reduce((sum, part) => sum + part, 0);
    const height = area * filled;
    bottom -= height;
    let x = 0;
    for (const part of strip) {
      tiles.push({ x, y: bottom, width: part / area, height });
      x += part / area;
    }
  }
  return tiles;
}

/** Cuts a list whose sum is 1 into parts of about equal sum, none of them empty. */
function equalParts(areas: readonly number[], count: number): readonly (readonly number[])[] {
  const parts: number[][] = [];
  let part: number[] = [];
  let sum = 0;
  for (const area of areas) {
    const end = (parts.length + 1) / count;
    const isFull = part.length > 0 && sum + area / 2 > end && parts.length < count - 1;
    if (isFull) {
      parts.push(part);
      part = [];
    }
    part.push(area);
    sum += area;
  }
  return [...parts, part];
}

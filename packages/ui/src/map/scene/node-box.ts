import type { PageNode, PagePod } from '@karpenter/core/page-api';
import { isInside, podTiles, type Rectangle, within } from '../layout/index.ts';
import { Motion } from './motion.ts';

export interface PlacedTile {
  pod: PagePod;
  /** In shares of the inside of the node. */
  readonly motion: Motion;
  /** While the pod flies here from the pending pods, the node shows an empty place. */
  hiddenUntil: number;
  readonly bornAt: number;
}

export const headerHeight = 15;
const smallestWithHeader = 44;

/** A node on the map with the tiles of its pods. */
export class NodeBox {
  node: PageNode;
  readonly motion: Motion;
  readonly bornAt: number;
  readonly tiles = new Map<string, PlacedTile>();

  constructor(node: PageNode, at: Rectangle, now: number) {
    this.node = node;
    this.motion = new Motion(at);
    this.bornAt = now;
  }

  /** Lays the pods out again; returns the tiles that are gone. */
  place(pods: Iterable<PagePod>, now: number, durationMs: number): readonly PlacedTile[] {
    const list = [...pods];
    const byUid = new Map(list.map((pod) => [pod.uid, pod]));
    const inside = insideOf(this.motion.target);
    const gone = [...this.tiles].filter(([uid]) => !byUid.has(uid));
    for (const [uid] of gone) this.tiles.delete(uid);
    for (const { uid, share } of podTiles(this.node, list, inside.width / Math.max(1, inside.height))) {
      const pod = byUid.get(uid);
      if (pod !== undefined) this.#setTile(pod, share, { now, durationMs });
    }
    return gone.map(([, tile]) => tile);
  }

  tileRectangle(tile: PlacedTile, now: number): Rectangle {
    return within(insideOf(this.motion.at(now)), tile.motion.at(now));
  }

  podAt(x: number, y: number): PagePod | undefined {
    const inside = insideOf(this.motion.target);
    for (const { pod, motion } of this.tiles.values())
      if (isInside(within(inside, motion.target), x, y)) return pod;
    return undefined;
  }

  #setTile(pod: PagePod, share: Rectangle, { now, durationMs }: { now: number; durationMs: number }): void {
    const tile = this.tiles.get(pod.uid);
    if (tile === undefined) {
      const bornAt = durationMs > 0 ? now : 0;
      this.tiles.set(pod.uid, { pod, motion: new Motion(share), hiddenUntil: 0, bornAt });
      return;
    }
    tile.pod = pod;
    tile.motion.moveTo(share, now, durationMs);
  }
}

/** The part of a node's box that pods fill. */
export function insideOf({ x, y, width, height }: Rectangle): Rectangle {
  const edge = height < 22 ? 1 : height < smallestWithHeader ? 2 : 4;
  const top = hasHeader({ height }) ? headerHeight + 5 : edge + 2;
  return { x: x + edge, y: y + top, width: width - 2 * edge, height: Math.max(1, height - top - edge) };
}

export function hasHeader({ height }: Pick<Rectangle, 'height'>): boolean {
  return height >= smallestWithHeader;
}

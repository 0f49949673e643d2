import type { Rectangle } from './rectangle.ts';

export interface SizedBox {
  readonly id: string;
  readonly cores: number;
  readonly createdAt: number;
}

/** A group of nodes with its title, at the origin. */
export interface GroupBlock {
  readonly width: number;
  readonly height: number;
  readonly boxes: ReadonlyMap<string, Rectangle>;
}

export const groupTitleHeight = 26;
const padding = 8;
const smallestSide = 12;
const maxCores = 192;
/** Width by height of a node: room for a name. */
const boxAspect = 1.35;

/** Shelves of nodes, the largest first. A node's area is proportional to its cores. */
export function groupBlock(nodes: readonly SizedBox[], scale: number, width: number): GroupBlock {
  const boxes = new Map<string, Rectangle>();
  const gap = scale > 30 ? 8 : scale > 14 ? 5 : 3;
  const right = width - padding;
  let x = padding;
  let y = groupTitleHeight;
  let shelf = 0;
  for (const { id, cores } of nodes) {
    const size = boxSize(cores, scale, width - 2 * padding);
    if (x > padding && x + size.width > right) {
      x = padding;
      y += shelf + gap;
      shelf = 0;
    }
    boxes.set(id, { x, y, ...size });
    x += size.width + gap;
    shelf = Math.max(shelf, size.height);
  }
  return { width, height: y + shelf + padding, boxes };
}

function boxSize(cores: number, scale: number, widest: number): { width: number; height: number } {
  const side = scale * Math.sqrt(Math.min(maxCores, Math.max(1, cores)));
  const height = Math.round(Math.max(smallestSide, side));
  return { width: Math.min(widest, Math.round(height * boxAspect)), height };
}

import type { Rectangle } from './rectangle.ts';

export interface PendingCells {
  readonly cells: ReadonlyMap<string, Rectangle>;
  /** Pods that found no place in the area. */
  readonly hidden: number;
}

const maxCellSize = 16;
const smallestCell = 5;

/** Pods that wait, as equal squares, as large as fits. */
export function pendingCells(uids: readonly string[], area: Rectangle): PendingCells {
  const cell = cellSize(uids.length, area);
  const perRow = Math.max(1, Math.floor(area.width / cell));
  const room = perRow * Math.max(0, Math.floor(area.height / cell));
  const cells = new Map<string, Rectangle>();
  for (const [index, uid] of uids.slice(0, room).entries()) {
    const x = area.x + (index % perRow) * cell;
    const y = area.y + Math.floor(index / perRow) * cell;
    cells.set(uid, { x, y, width: cell - 2, height: cell - 2 });
  }
  return { cells, hidden: Math.max(0, uids.length - room) };
}

function cellSize(count: number, { width, height }: Rectangle): number {
  for (let cell = maxCellSize; cell > smallestCell; cell -= 1)
    if (Math.floor(width / cell) * Math.floor(height / cell) >= count) return cell;
  return smallestCell;
}

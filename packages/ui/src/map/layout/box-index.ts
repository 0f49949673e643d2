import { isInside, type Rectangle } from './rectangle.ts';

const cellSide = 64;

/** Which box is at a point: boxes by the squares of a grid that they touch. */
export class BoxIndex {
  readonly #cells = new Map<string, string[]>();
  readonly #boxes: ReadonlyMap<string, Rectangle>;

  constructor(boxes: ReadonlyMap<string, Rectangle>) {
    this.#boxes = boxes;
    for (const [id, box] of boxes) this.#add(id, box);
  }

  at(x: number, y: number): string | undefined {
    const ids = this.#cells.get(cellKey(Math.floor(x / cellSide), Math.floor(y / cellSide))) ?? [];
    return ids.find((id) => {
      const box = this.#boxes.get(id);
      return box !== undefined && isInside(box, x, y);
    });
  }

  #add(id: string, { x, y, width, height }: Rectangle): void {
    for (let column = Math.floor(x / cellSide); column * cellSide < x + width; column += 1)
      for (let row = Math.floor(y / cellSide); row * cellSide < y + height; row += 1) {
        const key = cellKey(column, row);
        const ids = this.#cells.get(key);
        if (ids === undefined) this.#cells.set(key, [id]);
        else ids.push(id);
      }
  }
}

const cellKey = (column: number, row: number): string => `${column} ${row}`;

import { between, type Rectangle } from '../layout/index.ts';

/** A rectangle on its way from one place to another. */
export class Motion {
  #from: Rectangle;
  #to: Rectangle;
  #startedAt = 0;
  #durationMs = 0;

  constructor(at: Rectangle) {
    this.#from = at;
    this.#to = at;
  }

  get target(): Rectangle {
    return this.#to;
  }

  get endsAt(): number {
    return this.#startedAt + this.#durationMs;
  }

  at(now: number): Rectangle {
    if (now >= this.endsAt) return this.#to;
    return between(this.#from, this.#to, eased((now - this.#startedAt) / this.#durationMs));
  }

  /** Turns from wherever it is now; returns whether it moves. */
  moveTo(target: Rectangle, now: number, durationMs: number): boolean {
    if (isEqual(target, this.#to)) return now < this.endsAt;
    this.#from = this.at(now);
    this.#to = target;
    this.#startedAt = now;
    this.#durationMs = durationMs;
    return durationMs > 0;
  }
}

/** Fast at first, then slower. */
export function eased(share: number): number {
  return 1 - (1 - Math.min(1, Math.max(0, share))) ** 3;
}

function isEqual(a: Rectangle, b: Rectangle): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

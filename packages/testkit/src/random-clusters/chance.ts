/** Pseudo-random numbers from a seed (mulberry32), so that every cluster can be reproduced. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 inclusive to 1 exclusive. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    const a = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    const b = a ^ (a + Math.imul(a ^ (a >>> 7), a | 61));
    return ((b ^ (b >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Both ends included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.next() * items.length)] ?? items[0];
  }

  /** A non-empty subset of the items, in their order. */
  some<T>(items: readonly [T, ...T[]], probability = 0.5): readonly T[] {
    const chosen = items.filter(() => this.happens(probability));
    return chosen.length > 0 ? chosen : [this.pick(items)];
  }

  /** The part, or an empty object to spread. */
  maybe<T extends object>(probability: number, part: () => T): T | Record<never, never> {
    return this.happens(probability) ? part() : {};
  }

  times<T>(from: number, to: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.integer(from, to) }, (_, index) => make(index));
  }
}

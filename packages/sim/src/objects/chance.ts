/** A seeded random number generator: the same seed gives the same run. */
export interface Chance {
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from 0 up to but not including `limit`. */
  below(limit: number): number;
}

/** A generator that can be saved: `chanceFrom(chance.state)` continues the same sequence. */
export interface SeededChance extends Chance {
  readonly state: number;
}

/** Mulberry32; 32 bits of state are enough for ties, jitter and names. */
export function chanceFrom(seed: number): SeededChance {
  let state = seed >>> 0;
  const next = (): number => {
    const number = firstChance(state);
    state = (state + increment) >>> 0;
    return number;
  };
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    get state() {
      return state;
    },
  };
}

const increment = 0x6d2b79f5;

/** The first number of `chanceFrom(seed)`, without a generator: prices need thousands of single numbers. */
export function firstChance(seed: number): number {
  const state = (seed + increment) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** FNV-1a, for values that must depend only on a text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** The alphabet of Kubernetes' generated names: no vowels and no characters that look alike. */
const nameLetters = 'bcdfghjklmnpqrstvwxz2456789';

/** Encodes a number in that alphabet, like `SafeEncodeString` in Kubernetes. */
export function safeName(value: number, length: number): string {
  let rest = value;
  let name = '';
  while (name.length < length) {
    name += nameLetters[rest % nameLetters.length];
    rest = Math.floor(rest / nameLetters.length);
  }
  return name;
}

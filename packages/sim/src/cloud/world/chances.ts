import { chanceFrom, hashText, type SeededChance } from '../../objects/chance.ts';

/** The state of each random generator, by name. */
export type SavedChances = Readonly<Record<string, number>>;

/**
 * One seeded random generator per part of the account, so that the numbers one part draws do not change
 * another's.
 */
export class Chances {
  readonly #seed: number;
  readonly #saved: SavedChances;
  readonly #chances = new Map<string, SeededChance>();

  constructor(seed: number, saved: SavedChances = {}) {
    this.#seed = seed;
    this.#saved = saved;
  }

  of(name: string): SeededChance {
    const known = this.#chances.get(name);
    if (known !== undefined) return known;
    const made = chanceFrom(this.#saved[name] ?? hashText(`${this.#seed} ${name}`));
    this.#chances.set(name, made);
    return made;
  }

  /** Keeps the state of generators that this process has not used. */
  save(): SavedChances {
    const drawn = [...this.#chances].map(([name, { state }]) => [name, state]);
    return { ...this.#saved, ...Object.fromEntries(drawn) };
  }
}

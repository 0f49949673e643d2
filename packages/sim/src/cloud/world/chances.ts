import { chanceFrom, hashText, type SeededChance } from '../../objects/chance.ts';

/** The state of each chance, by name. */
export type SavedChances = Readonly<Record<string, number>>;

/** One repeatable chance for each part of the account, so that what one part draws does not change another's. */
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

  save(): SavedChances {
    const drawn = [...this.#chances].map(([name, { state }]) => [name, state]);
    return { ...this.#saved, ...Object.fromEntries(drawn) };
  }
}

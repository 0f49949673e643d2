import { parseInt64 } from './int64.ts';
import { coreLabelAliases, type LabelAliases } from './label-aliases.ts';
import { LabelKeySet } from './label-key-set.ts';
import type { Requirement } from './requirement.ts';

const noAliases: ReadonlyMap<string, string> = new Map();

/**
 * Requirements that occur very often, created once per key: a thousand instance types have `os In [linux]`,
 * and checks over them stay in the processor's cache only if they share the object.
 */
interface SharedRequirements {
  /** In [value], by the index of the value. */
  readonly is: Map<number, Requirement>;
  exists: Requirement | undefined;
  doesNotExist: Requirement | undefined;
}

/**
 * A label key of one vocabulary, with an index for each value seen so far. Indexes depend on the order of
 * arrival and are private to the vocabulary: never store or show them.
 */
export class LabelKey {
  readonly id: number;
  readonly name: string;
  readonly shared: SharedRequirements = { is: new Map(), exists: undefined, doesNotExist: undefined };
  readonly #aliases: ReadonlyMap<string, string>;
  readonly #indexes = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #integers: (bigint | undefined)[] = [];
  readonly #numbers: number[] = [];

  constructor(id: number, name: string, aliases: ReadonlyMap<string, string> = noAliases) {
    this.id = id;
    this.name = name;
    this.#aliases = aliases;
  }

  /** The index of a value; assigns a new one the first time. */
  intern(value: string): number {
    const text = this.#aliases.get(value) ?? value;
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.#texts.length;
    const integer = parseInt64(text);
    this.#indexes.set(text, index);
    this.#texts.push(text);
    this.#integers.push(integer);
    this.#numbers.push(integer === undefined ? Number.NaN : Number(integer));
    return index;
  }

  /** The index of a value, or -1 if it was never interned. Does not intern it. */
  find(value: string): number {
    return this.#indexes.get(this.#aliases.get(value) ?? value) ?? -1;
  }

  /** The normalized spelling of a value. */
  respell(value: string): string {
    return this.#aliases.get(value) ?? value;
  }

  text(index: number): string {
    return this.#texts[index] ?? '';
  }

  integer(index: number): bigint | undefined {
    return this.#integers[index];
  }

  /**
   * The value as a double: rounded beyond 2^53, NaN if it is not an integer. Decides most comparisons
   * cheaply.
   */
  number(index: number): number {
    return this.#numbers[index] ?? Number.NaN;
  }
}

/**
 * Assigns small numbers to label keys and values, so that sets of values become bit sets. Create one per
 * snapshot, not a global one: host names and pod labels would accumulate. Requirements of different
 * vocabularies do not mix.
 */
export class Vocabulary {
  readonly #aliases: LabelAliases;
  readonly #keys = new Map<string, LabelKey>();

  constructor(aliases: LabelAliases = coreLabelAliases) {
    this.#aliases = aliases;
  }

  key(name: string): LabelKey {
    const normalized = this.#aliases.keys.get(name) ?? name;
    const known = this.#keys.get(normalized);
    if (known !== undefined) return known;
    const key = new LabelKey(this.#keys.size, normalized, this.#aliases.values?.get(normalized));
    this.#keys.set(normalized, key);
    return key;
  }

  keySet(names: Iterable<string>): LabelKeySet {
    return new LabelKeySet(Array.from(names, (name) => this.key(name)));
  }
}

import { labelKeys } from '../api/index.ts';
import { type RequirementItem, requirementFromItem, Vocabulary } from '../requirements/index.ts';

/** An instance type of the cloud with the labels that depend on nothing but the type. */
export interface KnownInstanceType {
  readonly name: string;
  /** Undefined for a label that nodes of the type never have. */
  readonly labels: Readonly<Record<string, string | undefined>>;
}

/** For each type of the catalogue, in order, whether it meets a requirement. */
export type TypeMask = readonly boolean[];

/**
 * The instance types of the cloud by label, whatever NodeClass they are launched with. Answers which of them
 * meet a requirement; other labels than those of types are not its business.
 */
export class TypeCatalogue {
  readonly #types: readonly KnownInstanceType[];
  readonly #aliases: ReadonlyMap<string, string>;
  /** Values of each label; undefined stands for its absence. */
  readonly #values = new Map<string, Set<string | undefined>>();

  constructor(types: readonly KnownInstanceType[], aliases: ReadonlyMap<string, string>) {
    this.#types = types;
    this.#aliases = aliases;
    for (const { labels } of types) {
      for (const [key, value] of Object.entries(labels)) this.#valuesOf(key).add(value);
    }
  }

  get isEmpty(): boolean {
    return this.#types.length === 0;
  }

  /** Whether the requirement is about a label of instance types. */
  concerns({ key }: RequirementItem): boolean {
    return this.#values.has(this.#normalized(key));
  }

  /**
   * Values of a list that no type has. Lists of excluded values count only if they are of instance types, where
   * a misspelled name has consequences; excluding GPUs that a region lacks is prudent.
   */
  unknownValues({ key, operator, values = [] }: RequirementItem): readonly string[] {
    const normalized = this.#normalized(key);
    const isList = operator === 'In' || (operator === 'NotIn' && normalized === labelKeys.instanceType);
    const known = isList ? this.#values.get(normalized) : undefined;
    return known === undefined ? [] : values.filter((value) => !known.has(value));
  }

  meeting(item: RequirementItem): TypeMask {
    const key = this.#normalized(item.key);
    // A vocabulary of its own: values of refused objects must not accumulate.
    const requirement = requirementFromItem(new Vocabulary({ keys: this.#aliases }), item);
    const met = new Set(
      [...this.#valuesOf(key)].filter((value) =>
        value === undefined ? requirement.allowsAbsence : requirement.has(value),
      ),
    );
    return this.#types.map(({ labels }) => met.has(labels[key]));
  }

  /** Number of different values of the label that these types have. */
  variety(key: string, mask: TypeMask): number {
    const normalized = this.#normalized(key);
    const values = this.#types.map(({ labels }, index) => (mask[index] ? labels[normalized] : undefined));
    return new Set(values.filter((value) => value !== undefined)).size;
  }

  #normalized(key: string): string {
    return this.#aliases.get(key) ?? key;
  }

  #valuesOf(key: string): Set<string | undefined> {
    const known = this.#values.get(key) ?? new Set();
    this.#values.set(key, known);
    return known;
  }
}

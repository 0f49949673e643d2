import type { LabelKey } from '../../requirements/index.ts';
import type { TemplateOffer, TemplateType } from './node-template.ts';
import type { TypeLabels } from './type-labels.ts';

/**
 * Groups offers that are equal in all labels that matter to a plan into kinds. Whether pods allow an offer is
 * decided per kind: pods name a handful of labels, so a pool of six thousand offers has a few dozen kinds.
 * Masks are bit sets over kinds.
 */
export class OfferKinds {
  readonly #types: readonly TemplateType[];
  readonly #offers: readonly TemplateOffer[];
  readonly #labels: TypeLabels;
  readonly #keys = new Set<LabelKey>();
  #of = new Uint32Array(0);
  #members: (readonly TemplateOffer[])[] = [];

  constructor(types: readonly TemplateType[], offers: readonly TemplateOffer[], labels: TypeLabels) {
    this.#types = types;
    this.#offers = offers;
    this.#labels = labels;
  }

  get length(): number {
    return this.#members.length;
  }

  /** The kind of each offer. */
  get of(): Uint32Array {
    return this.#of;
  }

  /** The offers of each kind, the cheapest first; never empty. */
  get members(): readonly (readonly TemplateOffer[])[] {
    return this.#members;
  }

  /** Divides kinds until their offers are equal in these labels too. Masks made before become invalid. */
  distinguish(keys: Iterable<LabelKey>): void {
    const before = this.#keys.size;
    for (const key of keys) this.#keys.add(key);
    if (this.#keys.size > before || this.#of.length === 0) this.#partition();
  }

  /** Whether offers of one kind are equal in the label, so that masks can decide on it. */
  distinguishes(key: LabelKey): boolean {
    return this.#keys.has(key);
  }

  allows(mask: Uint32Array, { index }: TemplateOffer): boolean {
    return hasKind(mask, this.#of[index] ?? 0);
  }

  /** The offers that a mask allows, kind by kind. */
  allowed(mask: Uint32Array): readonly (readonly TemplateOffer[])[] {
    return this.#members.filter((_, kind) => hasKind(mask, kind));
  }

  #partition(): void {
    const classes = this.#typeClasses();
    const kinds = new Map<object, number[]>();
    const members: TemplateOffer[][] = [];
    const of = new Uint32Array(this.#offers.length);
    for (const offer of this.#offers) {
      // Reserved offers are kinds of their own even if their requirements equal those of other offers.
      const { reservation, requirements } = offer.offering;
      const offered = reservation ?? requirements;
      // By identity, which is enough because `TypeCompiler` gives equal requirements one object.
      let byClass = kinds.get(offered);
      if (byClass === undefined) {
        byClass = [];
        kinds.set(offered, byClass);
      }
      const typeClass = classes[offer.of.index] ?? 0;
      const kind = byClass[typeClass] ?? members.push([]) - 1;
      byClass[typeClass] = kind;
      members[kind]?.push(offer);
      of[offer.index] = kind;
    }
    this.#of = of;
    this.#members = members;
  }

  /** Gives the same number to types with the same daemons and the same values of the labels. */
  #typeClasses(): Uint32Array {
    const rows = Uint32Array.from(this.#types, ({ type }) => type.row);
    const sizes = [...new Set(this.#types.map(({ daemonSize }) => daemonSize))];
    const classes = Uint32Array.from(this.#types, ({ daemonSize }) => sizes.indexOf(daemonSize));
    for (const key of this.#keys) this.#labels.distinguish(rows, classes, key);
    return classes;
  }
}

export function hasKind(mask: Uint32Array, kind: number): boolean {
  return ((mask[kind >>> 5] ?? 0) & (1 << (kind & 31))) !== 0;
}

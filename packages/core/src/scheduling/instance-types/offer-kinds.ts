import type { LabelKey } from '../../requirements/index.ts';
import type { TemplateOffer, TemplateType } from './node-template.ts';
import type { TypeLabels } from './type-labels.ts';

/**
 * Offers that no label in question tells apart are of one kind. Which offers pods allow is asked of kinds: a pool
 * of six thousand offers has a few dozen, as pods name a handful of labels. Masks are bit sets over kinds.
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

  /** The offers of each kind, the cheapest first; each has some. */
  get members(): readonly (readonly TemplateOffer[])[] {
    return this.#members;
  }

  /** Makes sure that offers of one kind say the same of these labels. Masks made before mean nothing after. */
  tellApart(keys: Iterable<LabelKey>): void {
    const before = this.#keys.size;
    for (const key of keys) this.#keys.add(key);
    if (this.#keys.size > before || this.#of.length === 0) this.#partition();
  }

  /** Whether masks can speak of the label. */
  knows(key: LabelKey): boolean {
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
      // Offers of a reservation are apart from others even if they are offered in the same words.
      const { reservation, requirements } = offer.offering;
      const offered = reservation ?? requirements;
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

  /** Numbers types alike that have the same daemons and say the same of the labels. */
  #typeClasses(): Uint32Array {
    const rows = Uint32Array.from(this.#types, ({ type }) => type.row);
    const sizes = [...new Set(this.#types.map(({ daemonSize }) => daemonSize))];
    const classes = Uint32Array.from(this.#types, ({ daemonSize }) => sizes.indexOf(daemonSize));
    for (const key of this.#keys) this.#labels.tellApart(rows, classes, key);
    return classes;
  }
}

export function hasKind(mask: Uint32Array, kind: number): boolean {
  return ((mask[kind >>> 5] ?? 0) & (1 << (kind & 31))) !== 0;
}

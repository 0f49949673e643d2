import type { LabelKey, Requirements } from '../requirements/index.ts';
import type { TemplateOffer, TemplateType } from './node-template.ts';
import type { TypeLabels } from './type-labels.ts';

/**
 * Offers that no label in question tells apart are of one kind. Which offers pods allow is asked of kinds: a pool
 * of six thousand offers has a few dozen, as pods name a handful of labels. Masks are bit sets over kinds.
 */
export class OfferKinds {
  readonly #offers: readonly TemplateOffer[];
  readonly #labels: TypeLabels;
  readonly #rows: Uint32Array;
  readonly #daemonsOf: Uint32Array;
  /** Of each offer, what it is offered in. */
  readonly #offeredOf: Uint32Array;
  readonly #offered: number;
  readonly #keys = new Set<LabelKey>();
  #of: Uint32Array;
  #samples: readonly TemplateOffer[] = [];

  constructor(types: readonly TemplateType[], offers: readonly TemplateOffer[], labels: TypeLabels) {
    this.#offers = offers;
    this.#labels = labels;
    this.#rows = Uint32Array.from(types, ({ type }) => type.row);
    this.#daemonsOf = numbered(types.map(({ daemonSize }) => daemonSize)).of;
    const { of, length } = numbered(offers.map(offeredAs));
    this.#offeredOf = of;
    this.#offered = length;
    this.#of = new Uint32Array(offers.length);
    this.#partition();
  }

  /** The kind of each offer. */
  get of(): Uint32Array {
    return this.#of;
  }

  /** An offer of each kind. */
  get samples(): readonly TemplateOffer[] {
    return this.#samples;
  }

  /** Makes sure that offers of one kind say the same of these labels. Masks made before mean nothing after. */
  tellApart(keys: Iterable<LabelKey>): void {
    const before = this.#keys.size;
    for (const key of keys) this.#keys.add(key);
    if (this.#keys.size > before) this.#partition();
  }

  /** Whether masks can speak of the label. */
  knows(key: LabelKey): boolean {
    return this.#keys.has(key);
  }

  allows(mask: Uint32Array, { index }: TemplateOffer): boolean {
    return hasKind(mask, this.#of[index] ?? 0);
  }

  #partition(): void {
    const classes = this.#daemonsOf.slice();
    for (const key of this.#keys) this.#labels.tellApart(this.#rows, classes, key);
    const kinds = new Map<number, number>();
    const samples: TemplateOffer[] = [];
    for (let i = 0; i < this.#offers.length; i++) {
      const offer = this.#offers[i];
      if (offer === undefined) continue;
      const name = (classes[offer.of.index] ?? 0) * this.#offered + (this.#offeredOf[i] ?? 0);
      let kind = kinds.get(name);
      if (kind === undefined) {
        kind = samples.push(offer) - 1;
        kinds.set(name, kind);
      }
      this.#of[i] = kind;
    }
    this.#samples = samples;
  }
}

export function hasKind(mask: Uint32Array, kind: number): boolean {
  return ((mask[kind >>> 5] ?? 0) & (1 << (kind & 31))) !== 0;
}

/** Offers of a reservation are apart from others even if they are offered in the same words. */
function offeredAs({ offering }: TemplateOffer): Requirements | object {
  return offering.reservation ?? offering.requirements;
}

function numbered(list: readonly object[]): { readonly of: Uint32Array; readonly length: number } {
  const numbers = new Map<object, number>();
  const of = new Uint32Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const each = list[i];
    if (each === undefined) continue;
    const number = numbers.get(each) ?? numbers.size;
    if (number === numbers.size) numbers.set(each, number);
    of[i] = number;
  }
  return { of, length: numbers.size };
}

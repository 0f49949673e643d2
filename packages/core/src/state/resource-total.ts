import {
  type Quantity,
  type QuantityFormat,
  type QuantityTexts,
  type ResourceList,
  resourceTexts,
} from '../values/index.ts';

interface Amount {
  readonly nano: bigint;
  /** How many of the lists name the resource, by the family of suffixes in which they write it. */
  readonly holders: Readonly<Record<QuantityFormat, number>>;
}

/**
 * A sum that lists are added to and taken from again. Exact, so that it always equals the sum made anew; and
 * the same whatever the order, also in how it is printed.
 */
export class ResourceTotal {
  readonly #amounts = new Map<string, Amount>();
  #texts: QuantityTexts | undefined;

  add(list: ResourceList): void {
    this.#change(list, 1);
  }

  subtract(list: ResourceList): void {
    this.#change(list, -1);
  }

  texts(): QuantityTexts {
    this.#texts ??= Object.freeze(resourceTexts(this.list()));
    return this.#texts;
  }

  list(): ResourceList {
    const entries = [...this.#amounts].map(([name, amount]) => [name, quantityOf(amount)] as const);
    return Object.fromEntries(entries);
  }

  #change(list: ResourceList, sign: 1 | -1): void {
    for (const [name, quantity] of Object.entries(list)) this.#changeOne(name, quantity, sign);
    this.#texts = undefined;
  }

  #changeOne(name: string, { nano, format }: Quantity, sign: 1 | -1): void {
    const before = this.#amounts.get(name);
    const holders = { ...(before?.holders ?? noHolders) };
    holders[format] += sign;
    if (holders.DecimalSI + holders.BinarySI + holders.DecimalExponent === 0) this.#amounts.delete(name);
    else this.#amounts.set(name, { nano: (before?.nano ?? 0n) + (sign === 1 ? nano : -nano), holders });
  }
}

const noHolders = { DecimalSI: 0, BinarySI: 0, DecimalExponent: 0 } as const;

/** Any part in binary units makes the sum one: memory is written so by most. */
function quantityOf({ nano, holders }: Amount): Quantity {
  if (holders.BinarySI > 0) return { nano, format: 'BinarySI' };
  return { nano, format: holders.DecimalSI > 0 ? 'DecimalSI' : 'DecimalExponent' };
}

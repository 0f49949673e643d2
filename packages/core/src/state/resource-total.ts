import {
  formatQuantity,
  type Quantity,
  type QuantityFormat,
  type QuantityTexts,
  type ResourceList,
} from '../values/index.ts';
import { byText } from './ordered-map.ts';

/** The sum of one resource. */
class Amount {
  nano = 0n;
  /** How many of the lists name the resource, by the family of suffixes in which they write it. */
  readonly #holders: Record<QuantityFormat, number> = { DecimalSI: 0, BinarySI: 0, DecimalExponent: 0 };
  #text: string | undefined;

  get isUnheld(): boolean {
    const { DecimalSI, BinarySI, DecimalExponent } = this.#holders;
    return DecimalSI + BinarySI + DecimalExponent === 0;
  }

  /** Any part in binary units makes the sum one: memory is written so by most. */
  get text(): string {
    this.#text ??= formatQuantity({ nano: this.nano, format: this.#format });
    return this.#text;
  }

  change({ nano, format }: Quantity, sign: 1 | -1): void {
    this.nano += sign === 1 ? nano : -nano;
    this.#holders[format] += sign;
    this.#text = undefined;
  }

  get #format(): QuantityFormat {
    if (this.#holders.BinarySI > 0) return 'BinarySI';
    return this.#holders.DecimalSI > 0 ? 'DecimalSI' : 'DecimalExponent';
  }
}

/**
 * A sum that lists are added to and taken from again. Exact, so that it always equals the sum made anew; and
 * the same whatever the order, also in how it is printed.
 */
export class ResourceTotal {
  readonly #amounts = new Map<string, Amount>();
  #names: readonly string[] | undefined;
  #texts: QuantityTexts | undefined = {};

  add(list: ResourceList): void {
    this.#change(list, 1);
  }

  subtract(list: ResourceList): void {
    this.#change(list, -1);
  }

  /** Names in order. */
  texts(): QuantityTexts {
    this.#texts ??= this.#format();
    return this.#texts;
  }

  #format(): QuantityTexts {
    this.#names ??= [...this.#amounts.keys()].sort(byText);
    return Object.fromEntries(this.#names.map((name) => [name, this.#amounts.get(name)?.text ?? '0']));
  }

  #change(list: ResourceList, sign: 1 | -1): void {
    for (const name of Object.keys(list)) {
      const quantity = list[name];
      if (quantity !== undefined) this.#changeOne(name, quantity, sign);
    }
    this.#texts = undefined;
  }

  #changeOne(name: string, quantity: Quantity, sign: 1 | -1): void {
    const known = this.#amounts.get(name);
    const amount = known ?? new Amount();
    amount.change(quantity, sign);
    if (known === undefined) this.#amounts.set(name, amount);
    else if (amount.isUnheld) this.#amounts.delete(name);
    else return;
    this.#names = undefined;
  }
}

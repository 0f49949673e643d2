import {
  formatQuantity,
  type Quantity,
  type QuantityFormat,
  type QuantityTexts,
  type ResourceList,
} from '../../values/index.ts';
import { byText } from '../collections/ordered-map.ts';

/** The running sum of one resource. */
class Amount {
  nano = 0n;
  /** Number of summed lists that name the resource, by the suffix family they use. */
  readonly #uses: Record<QuantityFormat, number> = { DecimalSI: 0, BinarySI: 0, DecimalExponent: 0 };
  #text: string | undefined;

  get isUnused(): boolean {
    const { DecimalSI, BinarySI, DecimalExponent } = this.#uses;
    return DecimalSI + BinarySI + DecimalExponent === 0;
  }

  /** Prints binary suffixes if any part uses them, as most memory quantities do. */
  get text(): string {
    this.#text ??= formatQuantity({ nano: this.nano, format: this.#format });
    return this.#text;
  }

  change({ nano, format }: Quantity, sign: 1 | -1): void {
    this.nano += sign === 1 ? nano : -nano;
    this.#uses[format] += sign;
    this.#text = undefined;
  }

  get #format(): QuantityFormat {
    if (this.#uses.BinarySI > 0) return 'BinarySI';
    return this.#uses.DecimalSI > 0 ? 'DecimalSI' : 'DecimalExponent';
  }
}

/**
 * A running sum of resource lists. It is exact, so it always equals the sum computed from scratch, and
 * neither value nor text depends on the order of additions and subtractions.
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

  /** Formatted amounts, sorted by name. */
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
    else if (amount.isUnused) this.#amounts.delete(name);
    else return;
    this.#names = undefined;
  }
}

import {
  formatQuantity,
  parseQuantity,
  type QuantityTexts,
  quantityFromInteger,
  quantityFromMilli,
  toInteger,
  toMilli,
} from '../values/index.ts';

/** Resources counted in whole units; all others may come in thousandths. */
const wholeUnits = /^(memory|ephemeral-storage|storage|hugepages-.*|.*\.memory|.*\.storage)$/;

/**
 * The resources that some pod asks for, each with an index, so that amounts become vectors of doubles. What
 * nobody asks for constrains nobody. Amounts are exact up to 2^53 thousandths or bytes.
 */
export class ResourceAxes {
  readonly names: readonly string[];
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #amounts = new Map<string, number>();

  constructor(names: Iterable<string>) {
    this.names = [...new Set(names)].sort();
    this.#indexes = new Map(this.names.map((name, index) => [name, index]));
  }

  index(name: string): number {
    return this.#indexes.get(name) ?? -1;
  }

  vector(texts: QuantityTexts | undefined): Float64Array {
    const vector = new Float64Array(this.names.length);
    if (texts !== undefined) this.add(vector, texts, 1);
    return vector;
  }

  /** Adds the amounts to a vector, `sign` times; what is no axis is passed over. */
  add(vector: Float64Array, texts: QuantityTexts, sign: number): void {
    for (const [name, text] of Object.entries(texts)) {
      const index = this.index(name);
      if (index >= 0) vector[index] = (vector[index] ?? 0) + sign * this.amount(name, text);
    }
  }

  /** One of a whole amount, such as `pods`. */
  unit(name: string): number {
    return wholeUnits.test(name) ? 1 : 1000;
  }

  /** The amounts that are not zero, as Kubernetes writes them. */
  texts(vector: Float64Array): QuantityTexts {
    const texts: Record<string, string> = {};
    for (const [axis, name] of this.names.entries()) {
      const amount = vector[axis] ?? 0;
      if (amount > 0) texts[name] = this.text(name, amount);
    }
    return texts;
  }

  text(name: string, amount: number): string {
    const whole = BigInt(Math.floor(amount));
    return formatQuantity(
      this.unit(name) === 1
        ? { ...quantityFromInteger(whole), format: 'BinarySI' }
        : quantityFromMilli(whole),
    );
  }

  /** The same few texts come again and again, so each is read once. */
  amount(name: string, text: string | number): number {
    const whole = wholeUnits.test(name);
    const key = whole ? `b${text}` : `m${text}`;
    const known = this.#amounts.get(key);
    if (known !== undefined) return known;
    const quantity = parseQuantity(text, name);
    const amount = Number(whole ? toInteger(quantity) : toMilli(quantity));
    this.#amounts.set(key, amount);
    return amount;
  }
}

/** Whether a request fits into what is left; asking for nothing always fits. */
export function fitsInto(size: Float64Array, room: Float64Array): boolean {
  for (let i = 0; i < size.length; i++) {
    const wanted = size[i] ?? 0;
    if (wanted > 0 && wanted > (room[i] ?? 0)) return false;
  }
  return true;
}

/** How often a request fits into what is left; without end if it asks for nothing. */
export function howManyFit(size: Float64Array, room: Float64Array): number {
  let most = Number.POSITIVE_INFINITY;
  for (let axis = 0; axis < size.length; axis++) {
    const wanted = size[axis] ?? 0;
    if (wanted > 0) most = Math.min(most, Math.floor((room[axis] ?? 0) / wanted));
  }
  return most;
}

/** Adds amounts to a vector in place, `times` times. */
export function addTo(vector: Float64Array, amounts: Float64Array, times = 1): void {
  for (let axis = 0; axis < vector.length; axis++) {
    vector[axis] = (vector[axis] ?? 0) + times * (amounts[axis] ?? 0);
  }
}

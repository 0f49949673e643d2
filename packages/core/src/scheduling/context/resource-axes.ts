import {
  formatQuantity,
  parseQuantity,
  type QuantityTexts,
  quantityFromInteger,
  quantityFromMilli,
  toInteger,
  toMilli,
} from '../../values/index.ts';

/** Resources counted in whole units; all others are counted in thousandths, as `100m` of CPU. */
const wholeUnits = /^(memory|ephemeral-storage|storage|hugepages-.*|.*\.memory|.*\.storage)$/;

/** Stands for all absent resources among the names of axes. */
const absentResources = 'absent resources';

/**
 * The resources that some pod requests, each with an index, so that amounts become vectors of doubles: a plan
 * compares and adds amounts millions of times. A resource that no pod requests constrains none and has no
 * axis. Amounts are exact up to 2^53 thousandths or bytes.
 */
export class ResourceAxes {
  readonly names: readonly string[];
  /** Resources that nothing has. They share the last axis, on which nothing has room. */
  readonly absent: ReadonlySet<string>;
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #isWhole: readonly boolean[];
  readonly #wholeAmounts = new Map<string | number, number>();
  readonly #thousandths = new Map<string | number, number>();

  constructor(requested: Iterable<string>, absent: ReadonlySet<string> = new Set()) {
    const present = [...new Set(requested)].filter((name) => !absent.has(name)).sort();
    this.names = absent.size === 0 ? present : [...present, absentResources];
    this.absent = absent;
    this.#indexes = new Map(this.names.map((name, index) => [name, index]));
    this.#isWhole = this.names.map((name) => wholeUnits.test(name));
  }

  index(name: string): number {
    return this.#indexes.get(name) ?? -1;
  }

  vector(texts: QuantityTexts | undefined): Float64Array {
    const vector = new Float64Array(this.names.length);
    if (texts !== undefined) this.add(vector, texts, 1);
    return vector;
  }

  /** Adds the amounts to a vector, `sign` times; resources without an axis are ignored. */
  add(vector: Float64Array, texts: QuantityTexts, sign: number): void {
    for (let axis = 0; axis < this.names.length; axis++) {
      const name = this.names[axis] ?? '';
      const text = texts[name];
      if (text === undefined) continue;
      vector[axis] = (vector[axis] ?? 0) + sign * this.#read(name, text, this.#isWhole[axis] === true);
    }
    if (this.absent.size > 0) this.#addAbsent(vector, texts, sign);
  }

  #addAbsent(vector: Float64Array, texts: QuantityTexts, sign: number): void {
    const axis = this.names.length - 1;
    for (const [name, text] of Object.entries(texts))
      if (this.absent.has(name))
        vector[axis] = (vector[axis] ?? 0) + sign * this.#read(name, text, wholeUnits.test(name));
  }

  /** The amount that stands for one whole unit, such as one of `pods`. */
  unit(name: string): number {
    return wholeUnits.test(name) ? 1 : 1000;
  }

  /** The amounts above zero, as Kubernetes writes them. */
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

  amount(name: string, text: string | number): number {
    return this.#read(name, text, wholeUnits.test(name));
  }

  /** Thousands of pods share a few quantities, so each text is parsed once. */
  #read(name: string, text: string | number, isWhole: boolean): number {
    const amounts = isWhole ? this.#wholeAmounts : this.#thousandths;
    const known = amounts.get(text);
    if (known !== undefined) return known;
    const amount = plainAmount(text, isWhole) ?? exactAmount(name, text, isWhole);
    amounts.set(text, amount);
    return amount;
  }
}

function exactAmount(name: string, text: string | number, isWhole: boolean): number {
  const quantity = parseQuantity(text, name);
  return Number(isWhole ? toInteger(quantity) : toMilli(quantity));
}

const plainText = /^(\d{1,9})(m|Ki|Mi|Gi)?$/;
const multipliers = new Map([
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
]);

/** The fast path: nearly all quantities are a few digits with a usual suffix, which doubles hold exactly. */
function plainAmount(text: string | number, isWhole: boolean): number | undefined {
  const [, digits, suffix] = plainText.exec(String(text)) ?? [];
  if (digits === undefined) return undefined;
  if (suffix === 'm') return isWhole ? undefined : Number(digits);
  const amount = Number(digits) * (multipliers.get(suffix ?? '') ?? 1) * (isWhole ? 1 : 1000);
  return Number.isSafeInteger(amount) ? amount : undefined;
}

/**
 * Whether a request fits. A request of zero always fits, even for a resource that the node lacks, as in
 * Karpenter.
 */
export function fitsInto(size: Float64Array, room: Float64Array): boolean {
  for (let i = 0; i < size.length; i++) {
    const requested = size[i] ?? 0;
    if (requested > 0 && requested > (room[i] ?? 0)) return false;
  }
  return true;
}

/** How often a request fits; infinitely often if it is zero. */
export function howManyFit(size: Float64Array, room: Float64Array): number {
  let most = Number.POSITIVE_INFINITY;
  for (let axis = 0; axis < size.length; axis++) {
    const requested = size[axis] ?? 0;
    if (requested > 0) most = Math.min(most, Math.floor((room[axis] ?? 0) / requested));
  }
  return most;
}

/** Adds amounts to a vector in place, `times` times. */
export function addTo(vector: Float64Array, amounts: Float64Array, times = 1): void {
  for (let axis = 0; axis < vector.length; axis++) {
    vector[axis] = (vector[axis] ?? 0) + times * (amounts[axis] ?? 0);
  }
}

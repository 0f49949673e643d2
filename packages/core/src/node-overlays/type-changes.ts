import type { InstanceType, Offering } from '../ports/index.ts';
import type { QuantityTexts } from '../values/index.ts';
import { overlaidPrice } from './overlaid-price.ts';

interface Stated<T> {
  readonly value: T;
  /** Weight of the last overlay that named it: another one of this weight conflicts. */
  weight: number;
}

/** What one overlay changes on one instance type of a pool. */
export interface TypeStatement {
  readonly weight: number;
  /** A price or an adjustment. */
  readonly price: string | undefined;
  readonly capacity: QuantityTexts;
  /** Indexes of the selected offerings. */
  readonly offerings: readonly number[];
}

/** All overlay changes to one instance type of one pool; the first overlay to set a value wins. */
export class TypeChanges {
  readonly #prices = new Map<number, Stated<string>>();
  readonly #capacity = new Map<string, Stated<string | number>>();

  /** Whether another overlay of the same weight already set the same price or resource. */
  contradicts({ weight, price, capacity, offerings }: TypeStatement): boolean {
    const priced = price === undefined ? [] : offerings.map((offering) => this.#prices.get(offering));
    const stated = Object.keys(capacity).map((resource) => this.#capacity.get(resource));
    return [...priced, ...stated].some((earlier) => earlier?.weight === weight);
  }

  add({ weight, price, capacity, offerings }: TypeStatement): void {
    if (price !== undefined) for (const offering of offerings) state(this.#prices, offering, price, weight);
    for (const [resource, amount] of Object.entries(capacity))
      state(this.#capacity, resource, amount, weight);
  }

  /** A cache key: equal texts mean equal changes. */
  get text(): string {
    const values = <K, T>(changes: ReadonlyMap<K, Stated<T>>) =>
      [...changes].map(([key, { value }]) => [key, value]);
    return JSON.stringify([values(this.#prices), values(this.#capacity)]);
  }

  /**
   * As in Karpenter, a changed type loses the capacity and overhead of its offerings, and its device
   * templates.
   */
  applyTo(type: InstanceType): InstanceType {
    if (this.#prices.size === 0 && this.#capacity.size === 0) return type;
    const capacity = Object.fromEntries([...this.#capacity].map(([name, { value }]) => [name, value]));
    const { deviceTemplates: _, ...kept } = type;
    return {
      ...kept,
      capacity: { ...type.capacity, ...capacity },
      offerings: type.offerings.map((offering, index) => this.#offering(offering, index)),
      ...(this.#capacity.size > 0 && { hasCapacityOverlay: true }),
    };
  }

  #offering({ capacity: _, overhead: __, ...offering }: Offering, index: number): Offering {
    const change = this.#prices.get(index);
    if (change === undefined) return offering;
    return { ...offering, price: overlaidPrice(offering.price, change.value), hasPriceOverlay: true };
  }
}

function state<K, T>(changes: Map<K, Stated<T>>, key: K, value: T, weight: number): void {
  const earlier = changes.get(key);
  if (earlier === undefined) changes.set(key, { value, weight });
  else earlier.weight = weight;
}

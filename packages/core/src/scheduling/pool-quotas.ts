import type { NodeTemplate } from './node-template.ts';
import type { PodClass } from './pod-class.ts';

/** Pods of a class that go to a pool at a certain step of relaxing: at another, other machines may do. */
export interface QuotaKey {
  readonly template: NodeTemplate;
  readonly podClass: PodClass;
  readonly step: number;
}

/** Beyond so many steps the numbers of two classes would mix; a pod has a few dozen terms at most. */
const mostSteps = 2 ** 20;

/** A number for each key. Pools of equal snapshots have equal names, and classes equal indexes. */
export class QuotaNumbers {
  readonly #byPool = new Map<string, Map<number, number>>();

  get({ template, podClass, step }: QuotaKey): number | undefined {
    return this.#byPool.get(template.name)?.get(podClass.index * mostSteps + step);
  }

  set({ template, podClass, step }: QuotaKey, value: number): void {
    const numbers = this.#byPool.get(template.name) ?? new Map<number, number>();
    this.#byPool.set(template.name, numbers);
    numbers.set(podClass.index * mostSteps + step, value);
  }
}

/**
 * How many pods of a class a pool can take within its limits, where packing has found out. Placement does not
 * know how machines will be filled; when a pool turns out too small, it is repeated with what was learnt.
 */
export class PoolQuotas {
  readonly #most = new QuotaNumbers();

  /** Unlimited until packing says otherwise. */
  of(key: QuotaKey): number {
    return this.#most.get(key) ?? Number.POSITIVE_INFINITY;
  }

  set(key: QuotaKey, most: number): void {
    this.#most.set(key, most);
  }
}

/** The pods that pools have been given in one placement. */
export class GivenPods {
  readonly #quotas: PoolQuotas;
  readonly #given = new QuotaNumbers();

  constructor(quotas: PoolQuotas) {
    this.#quotas = quotas;
  }

  of(key: QuotaKey): number {
    return this.#given.get(key) ?? 0;
  }

  /** How many more the pool may be given. */
  left(key: QuotaKey): number {
    return this.#quotas.of(key) - this.of(key);
  }

  add(key: QuotaKey, pods: number): void {
    this.#given.set(key, this.of(key) + pods);
  }
}

import type { Requirements } from '../requirements/index.ts';
import type { NodeTemplate } from './node-template.ts';
import { signatureOf } from './offer-mask.ts';
import type { PodClass } from './pod-class.ts';

/** Pods of a class that go to a pool at a certain step of relaxing: at another, other machines may do. */
export interface QuotaKey {
  readonly template: NodeTemplate;
  readonly podClass: PodClass;
  readonly step: number;
  /** What the nodes ask for, where it is capacity reservations that run out: they are not alike on all nodes. */
  readonly nodes?: string;
}

/** Pods of a class on new nodes of one pool that ask for the same, at whichever step of relaxing. */
export function nodesKey(template: NodeTemplate, requirements: Requirements, podClass: PodClass): QuotaKey {
  return { template, podClass, step: 0, nodes: signatureOf(requirements) };
}

/** Beyond so many steps the numbers of two classes would mix; a pod has a few dozen terms at most. */
const mostSteps = 2 ** 20;

/** A number for each key. */
export class QuotaNumbers {
  readonly #byPool = new Map<string, Map<number, number>>();

  get(key: QuotaKey): number | undefined {
    return this.#byPool.get(poolPart(key))?.get(podPart(key));
  }

  set(key: QuotaKey, value: number): void {
    const pool = poolPart(key);
    const numbers = this.#byPool.get(pool) ?? new Map<number, number>();
    this.#byPool.set(pool, numbers);
    numbers.set(podPart(key), value);
  }
}

function poolPart({ template, nodes }: QuotaKey): string {
  return nodes === undefined ? template.name : `${template.name}/${nodes}`;
}

function podPart({ podClass, step }: QuotaKey): number {
  return podClass.index * mostSteps + step;
}

/**
 * How many pods of a class a pool can take, where packing has found out. Placement does not know how machines
 * will be filled; when limits or reservations turn out too small, it is repeated with what was learnt.
 */
export class PoolQuotas {
  readonly #most = new QuotaNumbers();
  #isEmpty = true;

  /** Whether nothing has been found out yet. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Unlimited until packing says otherwise. */
  of(key: QuotaKey): number {
    return this.#most.get(key) ?? Number.POSITIVE_INFINITY;
  }

  set(key: QuotaKey, most: number): void {
    this.#most.set(key, most);
    this.#isEmpty = false;
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
    return this.#quotas.isEmpty ? Number.POSITIVE_INFINITY : this.#quotas.of(key) - this.of(key);
  }

  add(key: QuotaKey, pods: number): void {
    this.#given.set(key, this.of(key) + pods);
  }
}

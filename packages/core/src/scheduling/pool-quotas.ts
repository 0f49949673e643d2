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

  /** These, with what others have of the same pool in their place. */
  replaced({ template, nodes }: QuotaKey, others: QuotaNumbers): QuotaNumbers {
    const isConcerned = (pool: string) =>
      nodes === undefined ? pool === template.name : pool.startsWith(`${template.name}/`);
    const copy = new QuotaNumbers();
    for (const [pool, numbers] of this.#byPool) {
      const kept = isConcerned(pool) ? [...numbers.keys()].map((key) => [key, 0] as const) : numbers;
      copy.#byPool.set(pool, new Map(kept));
    }
    for (const [pool, numbers] of others.#byPool) {
      if (isConcerned(pool)) copy.#byPool.set(pool, new Map([...(copy.#byPool.get(pool) ?? []), ...numbers]));
    }
    return copy;
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
  readonly #most: QuotaNumbers;

  constructor(most = new QuotaNumbers()) {
    this.#most = most;
  }

  /** Unlimited until packing says otherwise. */
  of(key: QuotaKey): number {
    return this.#most.get(key) ?? Number.POSITIVE_INFINITY;
  }

  set(key: QuotaKey, most: number): void {
    this.#most.set(key, most);
  }

  /** One kind of pods may be more in its pool, while all others that were given to it stay as they are. */
  grown(key: QuotaKey, most: number, given: GivenPods): PoolQuotas {
    const grown = new PoolQuotas(this.#most.replaced(key, given.numbers));
    grown.set(key, most);
    return grown;
  }
}

/** The pods that pools have been given in one placement. */
export class GivenPods {
  readonly #quotas: PoolQuotas;
  readonly #given = new QuotaNumbers();

  constructor(quotas: PoolQuotas) {
    this.#quotas = quotas;
  }

  get numbers(): QuotaNumbers {
    return this.#given;
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

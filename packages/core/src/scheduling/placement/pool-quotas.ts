import type { Requirements } from '../../requirements/index.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import { signatureOf } from '../instance-types/offer-mask.ts';
import type { PodClass } from '../pods/pod-class.ts';

/** Pods of a class that go to a pool at a certain step of relaxing: at another, other nodes may do. */
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

  /** These, and for pods of the same pool what others say of them, those of some classes aside. */
  with({ template, nodes }: QuotaKey, others: QuotaNumbers, aside: ReadonlySet<PodClass>): QuotaNumbers {
    const isConcerned = (pool: string) =>
      nodes === undefined ? pool === template.name : pool.startsWith(`${template.name}/`);
    const indexes = new Set(Array.from(aside, ({ index }) => index));
    const joined = new QuotaNumbers();
    for (const [pool, numbers] of this.#byPool) joined.#byPool.set(pool, new Map(numbers));
    for (const [pool, numbers] of others.#byPool) {
      if (!isConcerned(pool)) continue;
      const kept = [...numbers].filter(([part]) => !indexes.has(Math.floor(part / mostSteps)));
      joined.#byPool.set(pool, new Map([...(joined.#byPool.get(pool) ?? []), ...kept]));
    }
    return joined;
  }
}

function poolPart({ template, nodes }: QuotaKey): string {
  return nodes === undefined ? template.name : `${template.name}/${nodes}`;
}

function podPart({ podClass, step }: QuotaKey): number {
  return podClass.index * mostSteps + step;
}

/**
 * How many pods of a class a pool can take, where packing has found out. Placement does not know how nodes
 * will be filled; when limits or reservations turn out too small, it is repeated with what was learnt.
 */
export class PoolQuotas {
  readonly #most: QuotaNumbers;
  #isEmpty = true;

  constructor(most = new QuotaNumbers()) {
    this.#most = most;
  }

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

  /**
   * One kind of pods may be more in its pool, while others that were given to it stay as they are: not those that
   * wait for a reservation, which must not find the pool closed and go to the next.
   */
  grown(key: QuotaKey, most: number, given: GivenPods, waiting: ReadonlySet<PodClass>): PoolQuotas {
    const aside = key.nodes === undefined ? waiting : new Set<PodClass>();
    const grown = new PoolQuotas(this.#most.with(key, given.numbers, aside));
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
    return this.#quotas.isEmpty ? Number.POSITIVE_INFINITY : this.#quotas.of(key) - this.of(key);
  }

  add(key: QuotaKey, pods: number): void {
    this.#given.set(key, this.of(key) + pods);
  }
}

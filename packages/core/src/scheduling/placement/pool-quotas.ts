import type { Requirements } from '../../requirements/index.ts';
import type { NodeTemplate } from '../instance-types/node-template.ts';
import { signatureOf } from '../instance-types/offer-mask.ts';
import type { PodClass } from '../pods/pod-class.ts';

/** Pods of a class in a pool at one step of relaxation: at another step they may fit other instance types. */
export interface QuotaKey {
  readonly template: NodeTemplate;
  readonly podClass: PodClass;
  readonly step: number;
  /** Signature of the node requirements, where reservations run out: other nodes may use other reservations. */
  readonly nodes?: string;
}

/** Pods of a class on new nodes of one pool with these requirements, at any step of relaxation. */
export function nodesKey(template: NodeTemplate, requirements: Requirements, podClass: PodClass): QuotaKey {
  return { template, podClass, step: 0, nodes: signatureOf(requirements) };
}

/** A class and a step are packed into one number. Pods have a few dozen steps at most. */
const maxSteps = 2 ** 20;

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

  copy(): QuotaNumbers {
    const copy = new QuotaNumbers();
    for (const [pool, numbers] of this.#byPool) copy.#byPool.set(pool, new Map(numbers));
    return copy;
  }

  /**
   * A copy, with the numbers of `others` for all pods of the pool of the key, except those of some classes.
   */
  with({ template, nodes }: QuotaKey, others: QuotaNumbers, except: ReadonlySet<PodClass>): QuotaNumbers {
    const isSamePool = (pool: string) =>
      // Names of NodePools have no slash, so no other pool matches the prefix.
      nodes === undefined ? pool === template.name : pool.startsWith(`${template.name}/`);
    const indexes = new Set(Array.from(except, ({ index }) => index));
    const joined = this.copy();
    for (const [pool, numbers] of others.#byPool) {
      if (!isSamePool(pool)) continue;
      const kept = [...numbers].filter(([part]) => !indexes.has(Math.floor(part / maxSteps)));
      joined.#byPool.set(pool, new Map([...(joined.#byPool.get(pool) ?? []), ...kept]));
    }
    return joined;
  }
}

function poolPart({ template, nodes }: QuotaKey): string {
  return nodes === undefined ? template.name : `${template.name}/${nodes}`;
}

function podPart({ podClass, step }: QuotaKey): number {
  return podClass.index * maxSteps + step;
}

/**
 * How many pods of a class placement may give to a NodePool. Placement does not know how full nodes will be; when
 * packing finds limits or reservations too small, placement runs again with quotas (ADR 0012).
 */
export class PoolQuotas {
  readonly #most: QuotaNumbers;
  readonly #packed: QuotaNumbers;
  #isEmpty = true;

  constructor(most = new QuotaNumbers(), packed = new QuotaNumbers()) {
    this.#most = most;
    this.#packed = packed;
  }

  /** Whether no quota is set. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Infinite without a quota. */
  of(key: QuotaKey): number {
    return this.#most.get(key) ?? Number.POSITIVE_INFINITY;
  }

  set(key: QuotaKey, most: number): void {
    this.#most.set(key, most);
    this.#isEmpty = false;
  }

  /** How many of the pods are packed with those of other classes; pods beyond that get nodes of their own. */
  packed(key: QuotaKey): number {
    return this.#packed.get(key) ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Raises one quota and sets those of all other pods in the NodePool to what it was given of them, so that only the
   * raised one can grow. Pods that wait for a reservation get no quota: it would send them to the next NodePool instead
   * of letting them wait.
   */
  raised(
    { key, most, isApart = false }: RaisedQuota,
    given: GivenPods,
    waiting: ReadonlySet<PodClass>,
  ): PoolQuotas {
    const except = key.nodes === undefined ? waiting : new Set<PodClass>();
    const packed = this.#packed.copy();
    if (isApart) packed.set(key, Math.min(this.packed(key), given.of(key)));
    const raised = new PoolQuotas(this.#most.with(key, given.numbers, except), packed);
    raised.set(key, most);
    return raised;
  }
}

interface RaisedQuota {
  readonly key: QuotaKey;
  readonly most: number;
  /** Whether the additional pods get nodes of their own. */
  readonly isApart?: boolean;
}

/** The number of pods that each pool was given by one placement. */
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

  /** How many more the quota allows. */
  left(key: QuotaKey): number {
    // Called for every pod, and most plans have no quotas (ADR 0019).
    return this.#quotas.isEmpty ? Number.POSITIVE_INFINITY : this.#quotas.of(key) - this.of(key);
  }

  /** How many more are packed with pods of other classes; zero if the next pods get nodes of their own. */
  leftToPack(key: QuotaKey): number {
    return this.#quotas.isEmpty
      ? Number.POSITIVE_INFINITY
      : Math.max(0, this.#quotas.packed(key) - this.of(key));
  }

  add(key: QuotaKey, pods: number): void {
    this.#given.set(key, this.of(key) + pods);
  }
}

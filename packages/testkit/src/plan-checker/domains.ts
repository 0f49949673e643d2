import type { CheckedCluster } from './cluster.ts';
import { agree, allows, both, type LabelRule } from './label-rule.ts';
import type { Location } from './location.ts';
import { blockingTaints, type CheckedPodClass } from './pod-class.ts';
import type { PoolFacts } from './pool-facts.ts';

/** Values of a label that nodes of one NodePool may have, from its requirements and its instance types. */
function poolDomains(pool: PoolFacts, key: string): ReadonlySet<string> {
  const required = pool.template.get(key);
  const domains = new Set<string>(required?.complement === false ? required.values : []);
  for (const { rules } of pool.types.values()) {
    const offered = rules.get(key);
    if (offered === undefined) continue;
    const rule = required === undefined ? offered : both(required, offered);
    if (!rule.complement) for (const value of rule.values) domains.add(value);
  }
  return domains;
}

/** Whether any offering meets the requirements of the NodePool. */
function hasOffers({ unusable, template, types }: PoolFacts): boolean {
  if (unusable !== undefined) return false;
  return [...types.values()].some((type) =>
    type.offers.some(
      ({ available, nodeRules }) => available && agree(template, type.rules) && agree(template, nodeRules),
    ),
  );
}

/** The domains of topology keys: which exist, and which a node may be in. */
export class Domains {
  readonly #cluster: CheckedCluster;
  readonly #byPool = new Map<PoolFacts, Map<string, ReadonlySet<string>>>();

  readonly #open = new Map<CheckedPodClass, Map<string, ReadonlySet<string>>>();
  #pools: readonly PoolFacts[] | undefined;

  constructor(cluster: CheckedCluster) {
    this.#cluster = cluster;
  }

  ofPool(pool: PoolFacts, key: string): ReadonlySet<string> {
    const byKey = this.#byPool.get(pool) ?? new Map<string, ReadonlySet<string>>();
    this.#byPool.set(pool, byKey);
    const known = byKey.get(key) ?? poolDomains(pool, key);
    byKey.set(key, known);
    return known;
  }

  /**
   * Domains that pod affinity and anti-affinity know for a pod: those of NodePools that still have offerings
   * and whose taints, soft ones included, the pod tolerates.
   */
  openTo(pod: CheckedPodClass, key: string): ReadonlySet<string> {
    const byKey = this.#open.get(pod) ?? new Map<string, ReadonlySet<string>>();
    this.#open.set(pod, byKey);
    const known = byKey.get(key) ?? this.#findOpen(pod, key);
    byKey.set(key, known);
    return known;
  }

  #findOpen(pod: CheckedPodClass, key: string): ReadonlySet<string> {
    const pools = this.#offering().filter((pool) => blockingTaints(pool.taints, pod, false).length === 0);
    return new Set(pools.flatMap((pool) => [...this.ofPool(pool, key)]));
  }

  /** Domains that a node may be in; none if it has no such label. */
  ofLocation(location: Location, key: string): readonly string[] {
    return this.#enumerate(location.valuesOf(key), key);
  }

  /** The only domain that a node can be in, if its requirements or its remaining offerings leave only one. */
  settled(location: Location, key: string, by: 'statement' | 'reach'): string | undefined {
    const rule = by === 'statement' ? location.statedOf(key) : location.valuesOf(key);
    if (rule === undefined || rule.complement || rule.values.size !== 1) return undefined;
    const [only] = rule.values;
    return only;
  }

  #offering(): readonly PoolFacts[] {
    this.#pools ??= [...this.#cluster.pools.values()].filter(hasOffers);
    return this.#pools;
  }

  #enumerate(rule: LabelRule | undefined, key: string): readonly string[] {
    if (rule === undefined) return [];
    if (!rule.complement) return [...rule.values];
    const all = [...this.#cluster.pools.values()].flatMap((pool) => [...this.ofPool(pool, key)]);
    return [...new Set(all)].filter((value) => allows(rule, value));
  }
}

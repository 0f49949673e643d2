import type { CheckedCluster } from './cluster.ts';
import { agree, allows, both, type LabelRule } from './label-rule.ts';
import type { Location } from './location.ts';
import { blockingTaints, type CheckedPodClass } from './pod-class.ts';
import type { PoolFacts } from './pool-facts.ts';

/** Values of a label that nodes of one pool may have, by what the pool and its instance types say. */
export function poolDomains(pool: PoolFacts, key: string): ReadonlySet<string> {
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

/** Whether anything meets what the pool itself requires. */
function hasOffers({ unusable, template, types }: PoolFacts): boolean {
  if (unusable !== undefined) return false;
  return [...types.values()].some((type) =>
    type.offers.some(
      ({ available, nodeRules }) => available && agree(template, type.rules) && agree(template, nodeRules),
    ),
  );
}

/** The domains of topologies: which there are, and which of them a node may turn out to be in. */
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
   * Those that affinity, in either sense, knows of for a pod: of pools that still have something to offer and
   * whose taints, soft ones too, the pod tolerates.
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

  /** Those that a node may be in; none if it has no such label. */
  ofLocation(location: Location, key: string): readonly string[] {
    return this.#enumerate(location.valuesOf(key), key);
  }

  /** The only one that a node can be in, if what it states, or what it can still become, settles that. */
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

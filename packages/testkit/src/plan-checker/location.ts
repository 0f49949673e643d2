import { labelKeys } from '@karpenter/core/api';
import type { PlannedNode } from '@karpenter/core/scheduling';
import type { BoundPod, CheckedCluster, CheckedNodeFacts } from './cluster.ts';
import { agree, both, type LabelRule, type LabelRules, merge, oneOf } from './label-rule.ts';
import type { CheckedPodClass } from './pod-class.ts';
import { type OfferFacts, type PoolFacts, rulesOf, type TypeFacts } from './pool-facts.ts';

/** Pods of one class in one place. */
export interface PlacedPod {
  readonly pod: CheckedPodClass;
  readonly uids: readonly string[];
}

/** A node and the pods that the plan places on it. */
export interface Location {
  readonly name: string;
  readonly placed: readonly PlacedPod[];
  /** Pods that already run there. */
  readonly bound: readonly PlacedPod[];
  /** Running pods that are not being deleted: only these count for affinity, anti-affinity and spread. */
  readonly staying: readonly PlacedPod[];
  /** Possible values of a label of the node; undefined if nothing defines the key. */
  valuesOf(key: string): LabelRule | undefined;
  /** The same from the requirements of the node alone, regardless of its instance types. */
  statedOf(key: string): LabelRule | undefined;
}

export interface ExistingLocation extends Location {
  readonly kind: 'existing';
  readonly node: CheckedNodeFacts;
}

export interface NewLocation extends Location {
  readonly kind: 'new';
  readonly planned: PlannedNode;
  readonly pool: PoolFacts;
  /** Requirements of the NodeClaim with the labels of its NodePool. */
  readonly stated: LabelRules;
  /**
   * The listed types that the NodePool has, each with the available offerings that the requirements allow.
   */
  readonly types: readonly ReachableType[];
}

export interface ReachableType {
  readonly type: TypeFacts;
  readonly offers: readonly OfferFacts[];
}

export function placedPodsOf(
  pods: Iterable<{ readonly uid: string; readonly pod: CheckedPodClass }>,
): PlacedPod[] {
  const byClass = new Map<CheckedPodClass, string[]>();
  for (const { uid, pod } of pods) {
    const uids = byClass.get(pod);
    if (uids === undefined) byClass.set(pod, [uid]);
    else uids.push(uid);
  }
  return [...byClass].map(([pod, uids]) => ({ pod, uids }));
}

export function existingLocation(
  node: CheckedNodeFacts,
  placed: readonly PlacedPod[],
  bound: readonly BoundPod[],
): ExistingLocation {
  const valuesOf = (key: string): LabelRule | undefined => {
    const value = node.labels.get(key);
    return value === undefined ? undefined : oneOf([value]);
  };
  return {
    kind: 'existing',
    name: node.name,
    node,
    placed,
    bound: placedPodsOf(bound),
    staying: placedPodsOf(bound.filter(({ isTerminating }) => !isTerminating)),
    valuesOf,
    statedOf: valuesOf,
  };
}

function reachableOffers(stated: LabelRules, type: TypeFacts): readonly OfferFacts[] {
  if (!agree(stated, type.rules)) return [];
  return type.offers.filter(({ available, nodeRules }) => available && agree(stated, nodeRules));
}

/** Finds the offerings that new nodes can use; nodes with equal requirements share the work. */
export class Reach {
  readonly #cluster: CheckedCluster;
  readonly #known = new Map<string, Map<string, readonly OfferFacts[]>>();

  constructor(cluster: CheckedCluster) {
    this.#cluster = cluster;
  }

  locate(planned: PlannedNode, index: number, placed: readonly PlacedPod[]): NewLocation | undefined {
    const pool = this.#cluster.pools.get(planned.nodePool);
    if (pool === undefined) return undefined;
    const name = `new-${index}`;
    const stated = merge(
      pool.labels,
      rulesOf(planned.requirements, this.#cluster.options.labelAliases),
      new Map([[labelKeys.instanceType as string, oneOf(planned.instanceTypes)]]),
    );
    const hostname = oneOf([name]);
    const statement = `${pool.name} ${JSON.stringify(planned.requirements)}`;
    const types = planned.instanceTypes.flatMap((typeName) => {
      const type = pool.types.get(typeName);
      return type === undefined ? [] : [{ type, offers: this.#offers(statement, stated, type) }];
    });
    const cache = new Map<string, LabelRule | undefined>([[labelKeys.hostname, hostname]]);
    const valuesOf = (key: string): LabelRule | undefined => {
      if (!cache.has(key)) cache.set(key, this.#union(key, stated.get(key), types));
      return cache.get(key);
    };
    const statedOf = (key: string) => (key === labelKeys.hostname ? hostname : stated.get(key));
    return {
      kind: 'new',
      name,
      planned,
      pool,
      stated,
      types,
      placed,
      bound: [],
      staying: [],
      valuesOf,
      statedOf,
    };
  }

  #offers(statement: string, stated: LabelRules, type: TypeFacts): readonly OfferFacts[] {
    const byType = this.#known.get(statement) ?? new Map<string, readonly OfferFacts[]>();
    this.#known.set(statement, byType);
    // The list of types differs from node to node and implies nothing about a type on it.
    const known =
      byType.get(type.name) ??
      reachableOffers(new Map([...stated].filter(([key]) => key !== labelKeys.instanceType)), type);
    byType.set(type.name, known);
    return known;
  }

  /** Every value of a label that a usable offering would give the node. */
  #union(key: string, stated: LabelRule | undefined, types: readonly ReachableType[]): LabelRule | undefined {
    const values = new Set<string>();
    for (const { offers } of types) {
      for (const offer of offers) {
        const rule = offer.nodeRules.get(key);
        // If the type does not define the label, the requirements alone decide.
        if (rule === undefined || rule.complement) return stated;
        for (const value of rule.values) values.add(value);
      }
    }
    return stated === undefined ? oneOf(values) : both(stated, oneOf(values));
  }
}

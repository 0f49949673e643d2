import { labelKeys } from '@karpenter/core/api';
import type { CheckedCluster } from './cluster.ts';
import { firstUid } from './existing-nodes.ts';
import { freshPlaces, type NodeDemand } from './fresh-node.ts';
import { type LabelRules, mergePreference } from './label-rule.ts';
import type { NewLocation } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { CheckedPodClass } from './pod-class.ts';
import { PodTerms } from './pod-selection.ts';
import type { PodAffinitySpec, PodTermSpec } from './pod-spec.ts';
import type { PoolFacts } from './pool-facts.ts';
import { RoomUnderLimits } from './room-under-limits.ts';
import type { Violation } from './violation.ts';

/** The relaxation steps of a pod, as far as they concern labels and taints. */
export function demandsOf(
  { alternatives, preferred }: CheckedPodClass,
  cluster: CheckedCluster,
): readonly NodeDemand[] {
  const preferences = cluster.options.preferencePolicy === 'Respect' ? preferred : [];
  const [heaviest, ...lighter] = preferences;
  const last = alternatives.at(-1) ?? new Map();
  const asked = (strict: LabelRules, preference: LabelRules | undefined): NodeDemand => {
    const rules = preference === undefined ? strict : mergePreference(strict, preference);
    return { rules, strict, ignoreSoft: false };
  };
  const states = [
    ...alternatives.map((rules) => asked(rules, heaviest)),
    ...lighter.map((preference) => asked(last, preference)),
    ...(heaviest === undefined ? [] : [asked(last, undefined)]),
  ];
  if (!cluster.mayIgnoreSoftTaints) return states;
  return [...states, { rules: last, strict: last, ignoreSoft: true }];
}

function allTerms(affinity: PodAffinitySpec | undefined): readonly PodTermSpec[] {
  const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...preferred.map(({ podAffinityTerm }) => podAffinityTerm),
  ];
}

/** Topology keys of the pod's affinity, anti-affinity and spread. */
export function topologyKeysOf({ spec }: CheckedPodClass): readonly string[] {
  return [
    ...allTerms(spec.affinity?.podAffinity),
    ...allTerms(spec.affinity?.podAntiAffinity),
    ...(spec.topologySpreadConstraints ?? []),
  ].map(({ topologyKey }) => topologyKey);
}

/**
 * Whether other pods influence the choice of NodePool. On a new node, a rule on the hostname separates
 * nothing.
 */
export function dependsOnOthers(pod: CheckedPodClass): boolean {
  if (allTerms(pod.spec.affinity?.podAffinity).length > 0) return true;
  return topologyKeysOf(pod).some((key) => key !== labelKeys.hostname);
}

/** Finds, for pods that depend on no other, a NodePool of higher weight that would have taken them. */
class HeavierPools {
  readonly #facts: PlanFacts;
  readonly #limits: RoomUnderLimits;
  readonly #known = new Map<CheckedPodClass, Map<PoolFacts, PoolFacts | undefined>>();
  readonly #isRepelled: (pod: CheckedPodClass) => boolean;

  constructor(facts: PlanFacts) {
    this.#facts = facts;
    this.#limits = new RoomUnderLimits(facts);
    const terms = new PodTerms(facts.cluster, 'podAntiAffinity');
    const { cluster } = facts;
    const bound = [...facts.existing, ...facts.fresh].flatMap((location) => location.bound);
    // Rejected pods repel others too; nothing is certain about domains that they do not know.
    const holders = [...bound.map(({ pod }) => pod), ...[...cluster.pods.values()].map(cluster.classOf)];
    const wide = [...new Set(holders.flatMap((pod) => terms.of(pod)))].filter(
      ({ key }) => key !== labelKeys.hostname,
    );
    this.#isRepelled = (pod) => wide.some((term) => term.selects(pod));
  }

  than(pool: PoolFacts, pod: CheckedPodClass): PoolFacts | undefined {
    const byPool = this.#known.get(pod) ?? new Map<PoolFacts, PoolFacts | undefined>();
    this.#known.set(pod, byPool);
    if (!byPool.has(pool)) byPool.set(pool, this.#find(pod, pool));
    return byPool.get(pool);
  }

  /** Up to the relaxation in which the pod's own NodePool takes it, no heavier one may take it. */
  #find(pod: CheckedPodClass, own: PoolFacts): PoolFacts | undefined {
    if (dependsOnOthers(pod) || this.#isRepelled(pod)) return undefined;
    const { cluster } = this.#facts;
    const heavier = [...cluster.pools.values()].filter(({ weight }) => weight > own.weight);
    for (const demand of demandsOf(pod, cluster)) {
      const taker = heavier.find((pool) => this.#takes(pool, pod, demand));
      if (taker !== undefined) return taker;
      if (freshPlaces(own, pod, demand, cluster).length > 0) return undefined;
    }
    return undefined;
  }

  /** If pods need not wait for reservations, those of the heavier NodePool may have been used up. */
  #takes(pool: PoolFacts, pod: CheckedPodClass, demand: NodeDemand): boolean {
    const { cluster } = this.#facts;
    const mayBeTaken = cluster.options.reservedCapacity?.mode === 'fallback';
    return freshPlaces(pool, pod, demand, cluster, (type) => this.#limits.admits(pool, type)).some(
      ({ offer }) => !mayBeTaken || offer.reservation === undefined,
    );
  }
}

/**
 * Pods may join a node that was created for another pod, so one of its pods must have had no heavier
 * NodePool.
 */
function checkNode({ name, pool, placed }: NewLocation, heavier: HeavierPools): Violation[] {
  const misplaced = placed.flatMap((occupant) => {
    const better = heavier.than(pool, occupant.pod);
    return better === undefined ? [] : [{ pod: firstUid(occupant), better }];
  });
  if (misplaced.length < placed.length) return [];
  return misplaced.map(({ pod, better }) => {
    const detail = `pod ${pod} is on node ${name} of nodepool ${pool.name}, while the heavier ${better.name} takes it`;
    return { rule: 'weight', pod, node: name, detail };
  });
}

/**
 * No pod uses a NodePool while a heavier one would take it alone, unless limits or other pods prevent that.
 */
export function checkWeights(facts: PlanFacts): Violation[] {
  const usable = [...facts.cluster.pools.values()].filter(({ unusable }) => unusable === undefined);
  const heaviest = Math.max(...usable.map(({ weight }) => weight));
  const lighter = facts.fresh.filter(({ pool }) => pool.weight < heaviest);
  if (lighter.length === 0) return [];
  const pools = new HeavierPools(facts);
  return lighter.flatMap((location) => checkNode(location, pools));
}

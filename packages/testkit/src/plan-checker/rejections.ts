import { labelKeys } from '@karpenter/core/api';
import { addTo, minus, shortage } from './amounts.ts';
import { type CheckedCluster, hasVirtualPods, isSatisfied, isVirtual } from './cluster.ts';
import type { Domains } from './domains.ts';
import { type FreshPlace, freshPlaces, meetsMinValues } from './fresh-node.ts';
import type { LabelRules } from './label-rule.ts';
import type { ExistingLocation } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import { blockingTaints, type CheckedPodClass, portsConflict } from './pod-class.ts';
import { isIgnored } from './pod-validity.ts';
import type { PoolFacts } from './pool-facts.ts';
import { RoomUnderLimits } from './room-under-limits.ts';
import type { Site, TopologyState } from './topology-state.ts';
import type { Violation } from './violation.ts';

export function hasPreferences({ spec, preferred }: CheckedPodClass): boolean {
  const soft = 'preferredDuringSchedulingIgnoredDuringExecution';
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const pods = (podAffinity?.[soft]?.length ?? 0) + (podAntiAffinity?.[soft]?.length ?? 0);
  const spread = (spec.topologySpreadConstraints ?? []).filter(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway',
  );
  return preferred.length + pods + spread.length > 0;
}

/**
 * Relaxation drops required terms before preferences, so only the last term is ever tried without
 * preferences.
 */
function finalAlternatives(pod: CheckedPodClass, cluster: CheckedCluster): readonly LabelRules[] {
  const isSoft =
    (cluster.options.preferencePolicy === 'Respect' && hasPreferences(pod)) || cluster.mayIgnoreSoftTaints;
  return isSoft ? pod.alternatives.slice(-1) : pod.alternatives;
}

export interface PlacementRequest {
  readonly pod: CheckedPodClass;
  readonly rules: LabelRules;
  readonly ignoreSoft: boolean;
  readonly admits: (site: Site) => boolean;
}

/** Whether an existing node takes one more pod besides those that the plan places there. */
export function hasRoom({ node, placed, bound }: ExistingLocation, arrival: PlacementRequest): boolean {
  const { pod, rules, ignoreSoft, admits } = arrival;
  if (node.view.deleting || !isSatisfied(rules, node.labels)) return false;
  if (blockingTaints(node.taints, pod, ignoreSoft).length > 0) return false;
  const used = new Map<string, bigint>();
  for (const occupant of placed) addTo(used, occupant.pod.requests, occupant.uids.length);
  if (shortage(pod.requests, minus(node.room, used)) !== undefined) return false;
  if ([...placed, ...bound].some((occupant) => portsConflict(pod, occupant.pod))) return false;
  return admits((key) => {
    const value = node.labels.get(key);
    return value === undefined ? [] : [value];
  });
}

/** Searches for a place that a rejected pod could have had. */
export class PlaceSearch {
  readonly #facts: PlanFacts;
  readonly #topology: TopologyState;
  readonly #domains: Domains;
  readonly #limits: RoomUnderLimits;
  readonly #known = new Map<CheckedPodClass, string | undefined>();

  constructor(facts: PlanFacts, topology: TopologyState, domains: Domains) {
    this.#facts = facts;
    this.#topology = topology;
    this.#domains = domains;
    this.#limits = new RoomUnderLimits(facts);
  }

  /** Describes a place, if there is one. */
  find(pod: CheckedPodClass): string | undefined {
    if (!this.#known.has(pod)) this.#known.set(pod, this.#search(pod));
    return this.#known.get(pod);
  }

  #search(pod: CheckedPodClass): string | undefined {
    const { cluster, existing } = this.#facts;
    if (isIgnored(pod, cluster)) return undefined;
    for (const rules of finalAlternatives(pod, cluster)) {
      const admits = this.#topology.admission({ pod, rules });
      const node = existing.find((location) =>
        hasRoom(location, { pod, rules, ignoreSoft: cluster.mayIgnoreSoftTaints, admits }),
      );
      if (node !== undefined) return `node ${node.name}`;
      const pool = [...cluster.pools.values()].find((candidate) =>
        this.#canMake(candidate, pod, rules, admits),
      );
      if (pool !== undefined) return `a new node of nodepool ${pool.name}`;
    }
    return undefined;
  }

  #canMake(
    pool: PoolFacts,
    pod: CheckedPodClass,
    rules: LabelRules,
    admits: (site: Site) => boolean,
  ): boolean {
    const { cluster } = this.#facts;
    const found = freshPlaces(pool, pod, { rules, strict: rules, ignoreSoft: true }, cluster, (type) =>
      this.#limits.admits(pool, type),
    );
    // Reservations run out and may be kept for other pods, which the plan alone does not show.
    if (found.some(({ offer }) => offer.reservation !== undefined)) return false;
    const legal = found.filter((place) => admits(siteOf(place)));
    if (legal.length === 0) return false;
    // The planner chooses a domain before it looks at the offerings there, so every domain that it may choose
    // must have one.
    const choices = this.#topology.choices({ pod, rules }, (key) => this.#domains.ofPool(pool, key));
    const rows = combinations(choices.map(({ key, domains }) => domains.map((domain) => ({ key, domain }))));
    const isServed = (row: readonly { readonly key: string; readonly domain: string }[]) => {
      const left = legal.filter((place) =>
        row.every(({ key, domain }) => siteOf(place)(key).includes(domain)),
      );
      return left.length > 0 && meetsMinValues(pool, left, cluster);
    };
    return rows.length > 0 && rows.every(isServed);
  }
}

export function siteOf(place: FreshPlace): Site {
  return (key) => {
    if (key === labelKeys.hostname) return ['a new host'];
    const rule = place.labelRule(key);
    return rule === undefined || rule.complement ? [] : [...rule.values];
  };
}

function combinations<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>(
    (rows, list) => rows.flatMap((row) => list.map((item) => [...row, item])),
    [[]],
  );
}

function checkLimitClaims({ cluster, plan }: PlanFacts): Violation[] {
  return plan.rejections.flatMap(({ pod, reasons }) =>
    reasons.flatMap(({ nodePool = '', failed }): Violation[] => {
      const pool = cluster.pools.get(nodePool);
      if (!failed.includes('limits') || pool === undefined || pool.limits.size > 0) return [];
      const detail = `pod ${pod} is rejected for the limits of nodepool ${nodePool}, which has none`;
      return [{ rule: 'false-limits', pod, detail }];
    }),
  );
}

/**
 * Every rejected pod has no place, neither on an existing node nor on one more new node. In the presence of
 * virtual pods, real pods are judged without them, as displaced.
 */
export function checkRejections(facts: PlanFacts, topology: TopologyState, domains: Domains): Violation[] {
  const { cluster, plan } = facts;
  const search = new PlaceSearch(facts, topology, domains);
  const isForAll = !hasVirtualPods(cluster);
  const judged = plan.rejections.filter(({ pod }) => isForAll || isVirtual(cluster, pod));
  const violations = judged.flatMap(({ pod: uid, reasons }): Violation[] => {
    const pod = cluster.pods.get(uid);
    if (pod === undefined || reasons.some(({ failed }) => failed.includes('volume'))) return [];
    const place = search.find(cluster.classOf(pod));
    if (place === undefined) return [];
    return [{ rule: 'false-rejection', pod: uid, detail: `pod ${uid} is rejected and could go to ${place}` }];
  });
  return [...violations, ...checkLimitClaims(facts)];
}

import { labelKeys } from '@karpenter/core/api';
import { type Taint, type Toleration, untolerated } from '@karpenter/core/values';
import { type CheckedCluster, type CheckedNodeFacts, suitsLabels } from './cluster.ts';
import type { Domains } from './domains.ts';
import { agree, allows, type LabelRules } from './label-rule.ts';
import type { Location, NewLocation, PlacedPod } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import { type CheckedPodClass, softTaint } from './pod-class.ts';
import { compile, remembered } from './pod-selection.ts';
import type { SpreadSpec } from './pod-spec.ts';
import type { PoolFacts } from './pool-facts.ts';

/** A hard spread constraint, shared by all classes for which it counts the same. */
export interface CheckedSpreadConstraint {
  readonly key: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  selects(pod: CheckedPodClass): boolean;
  /** The same for running pods: without a selector, all pods of the namespace count. */
  selectsBound(pod: CheckedPodClass): boolean;
  /** Whether pods on the node count and its domain is one to spread over. */
  includes(node: CheckedNodeFacts): boolean;
  /** Whether pods on new nodes of a NodePool count, judging by its taints. */
  includesPool(pool: PoolFacts): boolean;
  /**
   * Whether a new node, in its final form, excludes the owner of the constraint, so that pods there may not
   * count.
   */
  isForeign(location: NewLocation): boolean;
  /** Known domains: those of NodePools and of included nodes. */
  readonly universe: ReadonlySet<string>;
  /** The same for a pod that relaxation has made tolerate soft taints, where taints count. */
  readonly relaxed?: SpreadView;
}

/** Which nodes and domains count. */
export type SpreadView = Pick<CheckedSpreadConstraint, 'includes' | 'includesPool' | 'universe'>;

function selectorOf(spread: SpreadSpec, { labels }: CheckedPodClass): SpreadSpec['labelSelector'] {
  if (spread.labelSelector === undefined) return undefined;
  const keys = (spread.matchLabelKeys ?? []).filter((key) => Object.hasOwn(labels, key));
  const added = keys.map((key) => ({ key, operator: 'In', values: [labels[key] ?? ''] }));
  const { matchExpressions = [] } = spread.labelSelector;
  return { ...spread.labelSelector, matchExpressions: [...matchExpressions, ...added] };
}

const softToleration: Toleration = { operator: 'Exists', effect: softTaint };

/** Key under which constraints of two classes count alike. */
function identity(spread: SpreadSpec, pod: CheckedPodClass): string {
  const { nodeSelector, affinity, tolerations } = pod.spec;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const taints = spread.nodeTaintsPolicy === 'Honor' ? tolerations : undefined;
  const labels = (spread.matchLabelKeys ?? []).map((key) => pod.labels[key]);
  return JSON.stringify([pod.namespace, spread, labels, nodeSelector, required, taints]);
}

/** The hard spread constraints of all pods, each compiled once. */
export class SpreadConstraints {
  readonly #cluster: CheckedCluster;
  readonly #domains: Domains;
  readonly #byIdentity = new Map<string, CheckedSpreadConstraint>();
  readonly #byClass = new Map<CheckedPodClass, readonly CheckedSpreadConstraint[]>();

  constructor(cluster: CheckedCluster, domains: Domains) {
    this.#cluster = cluster;
    this.#domains = domains;
  }

  of(pod: CheckedPodClass): readonly CheckedSpreadConstraint[] {
    const known = this.#byClass.get(pod) ?? this.#compileAll(pod);
    this.#byClass.set(pod, known);
    return known;
  }

  #compileAll(pod: CheckedPodClass): readonly CheckedSpreadConstraint[] {
    const hard = (pod.spec.topologySpreadConstraints ?? []).filter(
      ({ whenUnsatisfiable }) => whenUnsatisfiable !== 'ScheduleAnyway',
    );
    return hard.map((spread) => {
      const key = identity(spread, pod);
      const known = this.#byIdentity.get(key) ?? this.#compile(spread, pod);
      this.#byIdentity.set(key, known);
      return known;
    });
  }

  #compile(spread: SpreadSpec, owner: CheckedPodClass): CheckedSpreadConstraint {
    const isSelected = compile(selectorOf(spread, owner));
    const isOwn = ({ namespace }: CheckedPodClass) => namespace === owner.namespace;
    const selects = remembered((pod) => isOwn(pod) && isSelected(pod.labels));
    const honorsTaints = spread.nodeTaintsPolicy === 'Honor';
    const view = this.#view(spread, owner, honorsTaints ? owner.tolerations : undefined);
    const constraint = {
      key: spread.topologyKey,
      maxSkew: spread.maxSkew,
      minDomains: spread.minDomains ?? 0,
      selects,
      selectsBound: spread.labelSelector === undefined ? isOwn : selects,
      isForeign: (location: NewLocation) =>
        spread.nodeAffinityPolicy !== 'Ignore' &&
        owner.alternatives.every((rules) => !couldHold(rules, location)),
      ...view,
    };
    if (!honorsTaints || !this.#cluster.mayIgnoreSoftTaints) return constraint;
    return { ...constraint, relaxed: this.#view(spread, owner, [...owner.tolerations, softToleration]) };
  }

  /** Which nodes and domains count for a pod with these tolerations; all of them where taints are ignored. */
  #view(
    spread: SpreadSpec,
    owner: CheckedPodClass,
    tolerations: readonly Toleration[] | undefined,
  ): SpreadView {
    const tolerates = (taints: readonly Taint[]) =>
      tolerations === undefined || untolerated(taints, tolerations).length === 0;
    const includes = (node: CheckedNodeFacts): boolean =>
      tolerates(node.taints) && (spread.nodeAffinityPolicy === 'Ignore' || suitsLabels(owner, node.labels));
    const includesPool = ({ taints }: PoolFacts) => tolerates(taints);
    return { includes, includesPool, universe: this.#universe(spread.topologyKey, includes, tolerates) };
  }

  #universe(
    key: string,
    includes: (node: CheckedNodeFacts) => boolean,
    tolerates: (taints: readonly Taint[]) => boolean,
  ) {
    const universe = new Set<string>();
    for (const pool of this.#cluster.pools.values()) {
      if (pool.unusable !== undefined || !tolerates(pool.taints)) continue;
      for (const domain of this.#domains.ofPool(pool, key)) universe.add(domain);
    }
    for (const node of this.#cluster.nodes.values()) {
      const domain = node.labels.get(key);
      if (domain !== undefined && !node.view.deleting && includes(node)) universe.add(domain);
    }
    return universe;
  }
}

function couldHold(rules: LabelRules, location: NewLocation): boolean {
  return [...rules].every(([key, rule]) => {
    const value = location.valuesOf(key);
    return value === undefined ? rule.absent : agree(new Map([[key, rule]]), new Map([[key, value]]));
  });
}

export interface SpreadCounts {
  /** Running pods. */
  readonly bound: Map<string, number>;
  /** Pods of the plan that have the constraint and count for it. */
  readonly owners: Map<string, number>;
  /** Other pods of the plan. */
  readonly others: Map<string, number>;
}

function addCount(counts: Map<string, number>, domain: string, count: number): void {
  if (count > 0) counts.set(domain, (counts.get(domain) ?? 0) + count);
}

function countIf(occupants: readonly PlacedPod[], matches: (pod: CheckedPodClass) => boolean): number {
  return occupants.reduce((count, { pod, uids }) => count + (matches(pod) ? uids.length : 0), 0);
}

/** Counts the selected pods by domain, wherever the domain of the node is determined. */
export function countSelected(
  constraint: CheckedSpreadConstraint,
  { existing, fresh }: PlanFacts,
  constraints: SpreadConstraints,
  domainOf: (location: Location) => string | undefined,
  view: SpreadView = constraint,
): SpreadCounts {
  const counts: SpreadCounts = { bound: new Map(), owners: new Map(), others: new Map() };
  const isOwner = (pod: CheckedPodClass) =>
    constraint.selects(pod) && constraints.of(pod).includes(constraint);
  const isOther = (pod: CheckedPodClass) =>
    constraint.selects(pod) && !constraints.of(pod).includes(constraint);
  const count = (location: Location): void => {
    const domain = domainOf(location);
    if (domain === undefined) return;
    addCount(counts.bound, domain, countIf(location.staying, constraint.selectsBound));
    addCount(counts.owners, domain, countIf(location.placed, isOwner));
    addCount(counts.others, domain, countIf(location.placed, isOther));
  };
  for (const location of existing) if (view.includes(location.node)) count(location);
  for (const location of fresh) if (view.includesPool(location.pool)) count(location);
  return counts;
}

/**
 * The minimum count over the domains that the pod's node requirements allow; 0 if there are too few domains.
 */
export function leastCount(
  { key, universe, minDomains }: CheckedSpreadConstraint,
  rules: LabelRules,
  counts: readonly ReadonlyMap<string, number>[],
): number {
  if (key === labelKeys.hostname) return 0;
  const rule = rules.get(key);
  const eligible = [...universe].filter((domain) => rule === undefined || allows(rule, domain));
  if (eligible.length === 0 || eligible.length < minDomains) return 0;
  return Math.min(
    ...eligible.map((domain) => counts.reduce((total, count) => total + (count.get(domain) ?? 0), 0)),
  );
}

import { labelKeys } from '../../api/index.ts';
import { requiredAlternatives } from '../../requirements/index.ts';
import {
  compileLabelSelector,
  type LabelSelector,
  type Labels,
  type Toleration,
  untolerated,
} from '../../values/index.ts';
import { inSteps, type Steps } from '../../yielding/index.ts';
import type { PlanContext } from '../context/plan-context.ts';
import type { PodAffinityTerm, SpreadConstraint } from '../pod-spec.ts';
import type { PodClass } from '../pods/pod-class.ts';
import type { PodVariant } from '../pods/pod-variant.ts';
import type { BoundPodView } from '../snapshot.ts';
import { filterAccepts, type NodeFilter } from './node-filter.ts';
import { TopologyGroup, type TopologyKind } from './topology-group.ts';

/**
 * All topology groups of an attempt: spread constraints, pod affinity and anti-affinity, with the number of
 * pods in each domain so far. Equal constraints of different pods share a group, so that every placement counts for
 * all of these pods.
 */
export class Topology {
  readonly #context: PlanContext;
  readonly #groups = new Map<string, TopologyGroup>();
  /** Inverse anti-affinity: these groups count pods with a required term and constrain the pods that it selects. */
  readonly #inverse = new Map<string, TopologyGroup>();
  readonly #hasTaintedPools: boolean;

  constructor(context: PlanContext) {
    this.#context = context;
    this.#hasTaintedPools = context.pools.domainSources.some(({ taints }) => taints.length > 0);
    for (const pod of context.cluster.boundPods.withAntiAffinity) this.#addInverseOf(pod);
  }

  /** The groups that a pod must satisfy at a step of relaxation, in the order in which they are checked. */
  *groupsOf(podClass: PodClass, variant: PodVariant): Steps<readonly TopologyGroup[]> {
    const { podAffinity, podAntiAffinity } = podClass.spec.affinity ?? {};
    const { tolerations } = variant;
    const spread = (constraint: SpreadConstraint) => this.#spreadGroup(podClass, constraint, tolerations);
    const term = (kind: TopologyKind) => (each: PodAffinityTerm) =>
      this.#affinityGroup(kind, each, { namespace: podClass.namespace, tolerations });
    const affinity = [
      ...(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...variant.preferredAffinity.map(({ podAffinityTerm }) => podAffinityTerm),
    ];
    const antiAffinity = [
      ...(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...variant.preferredAntiAffinity.map(({ podAffinityTerm }) => podAffinityTerm),
    ];
    return [
      ...(yield* inSteps(variant.spread, spread, 'medium')),
      ...(yield* inSteps(affinity, term('pod affinity'), 'medium')),
      ...(yield* inSteps(antiAffinity, term('pod anti-affinity'), 'medium')),
    ];
  }

  /**
   * The groups of preferred anti-affinity among those of `groupsOf`. Karpenter tracks no inverse of them: selected pods
   * may still be placed beside the pod later.
   */
  preferredAntiAffinityGroups(podClass: PodClass, variant: PodVariant): readonly TopologyGroup[] {
    const required =
      podClass.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const { namespace } = podClass;
    const { tolerations } = variant;
    const group = (term: PodAffinityTerm) =>
      this.#affinityGroup('pod anti-affinity', term, { namespace, tolerations });
    const hard = new Set(required.map(group));
    return variant.preferredAntiAffinity
      .map(({ podAffinityTerm }) => group(podAffinityTerm))
      .filter((preferred) => !hard.has(preferred));
  }

  /** The inverse groups of the pods' own required anti-affinity terms. */
  inverseGroupsHeldBy(podClass: PodClass): readonly TopologyGroup[] {
    const terms =
      podClass.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    return terms.map((term) => this.#inverseGroup(podClass.namespace, term, podClass.spec.tolerations ?? []));
  }

  /** The inverse groups of other pods' terms that select the pods. */
  inverseGroupsAgainst(podClass: PodClass): readonly TopologyGroup[] {
    return [...this.#inverse.values()].filter((group) => group.selects(podClass));
  }

  /** Groups that count the pods. */
  groupsSelecting(podClass: PodClass): readonly TopologyGroup[] {
    return [...this.#groups.values()].filter((group) => group.selects(podClass));
  }

  get all(): Iterable<TopologyGroup> {
    return this.#groups.values();
  }

  /** Adds a planned node that pods with affinity by hostname may join. */
  registerHost(hostname: string): void {
    for (const group of [...this.#groups.values(), ...this.#inverse.values()]) {
      if (group.isHostname) group.register(hostname);
    }
  }

  #spreadGroup(
    podClass: PodClass,
    constraint: SpreadConstraint,
    tolerations: readonly Toleration[],
  ): TopologyGroup {
    const { topologyKey, maxSkew, minDomains } = constraint;
    const selector = withMatchLabelKeys(constraint, podClass.labels);
    const filter = this.#spreadFilter(
      podClass,
      constraint,
      topologyKey === labelKeys.hostname ? withSoftTaints(podClass) : tolerations,
    );
    const namespaces = [podClass.namespace];
    // Unlike in Karpenter, `minDomains` is part of the identity: with that of another pod, pods might be placed that
    // kube-scheduler does not bind (ADR 0012).
    const identity = JSON.stringify([
      'spread',
      topologyKey,
      maxSkew,
      minDomains,
      namespaces,
      selector,
      filterIdentity(filter),
    ]);
    return this.#group(identity, tolerations, {
      kind: 'topology spread',
      topologyKey,
      maxSkew,
      minDomains,
      namespaces,
      selector,
      filter,
      ignoresTaints: filter.tolerations === undefined,
    });
  }

  #affinityGroup(
    kind: TopologyKind,
    term: PodAffinityTerm,
    { namespace, tolerations }: { readonly namespace: string; readonly tolerations: readonly Toleration[] },
  ): TopologyGroup {
    const namespaces = this.#namespacesOf(namespace, term);
    const { topologyKey, labelSelector } = term;
    const identity = JSON.stringify([kind, topologyKey, namespaces, labelSelector]);
    return this.#group(identity, tolerations, affinityDescription(kind, namespaces, term));
  }

  #group(identity: string, tolerations: readonly Toleration[], description: GroupDescription): TopologyGroup {
    const known = this.#groups.get(identity);
    if (known !== undefined) {
      this.#registerPoolDomains(known, tolerations, description.ignoresTaints);
      return known;
    }
    const group = this.#newGroup(description);
    this.#registerPoolDomains(group, tolerations, description.ignoresTaints);
    // As in Karpenter, a domain that no pool offers counts for the minimum of a spread while nodes are in it,
    // and may therefore block pods.
    this.#registerNodeDomains(group);
    this.#countBoundPods(group, description);
    this.#groups.set(identity, group);
    return group;
  }

  #newGroup({
    kind,
    topologyKey,
    maxSkew,
    minDomains,
    namespaces,
    selector,
    filter,
  }: GroupDescription): TopologyGroup {
    const matches = compileLabelSelector(selector, 'labelSelector');
    const key = this.#context.vocabulary.key(topologyKey);
    return new TopologyGroup({
      kind,
      key,
      isHostname: key.name === labelKeys.hostname,
      maxSkew,
      minDomains,
      namespaces: new Set(namespaces),
      selects: ({ labels }) => matches(labels),
      filter,
    });
  }

  /**
   * Adds the domains that NodePools can create nodes in. Where the group honors taints, only those of NodePools whose
   * taints the pod tolerates. Each pod of the group may add some; in Karpenter only the first one does, so that the
   * result depends on the order of pods (ADR 0012).
   */
  #registerPoolDomains(
    group: TopologyGroup,
    tolerations: readonly Toleration[],
    ignoresTaints: boolean,
  ): void {
    if (!this.#hasTaintedPools && group.hasPoolDomains) return;
    group.hasPoolDomains = true;
    for (const { domain, taints } of this.#context.pools.domainsOf(group.key)) {
      if (ignoresTaints || untolerated(taints, tolerations).length === 0) group.register(domain);
    }
  }

  /** Adds the domains of existing nodes that pass the node filter. */
  #registerNodeDomains(group: TopologyGroup): void {
    for (const node of this.#context.cluster.nodes) {
      if (!filterAccepts(group.filter, node)) continue;
      for (const domain of node.requirements.find(group.key)?.values() ?? []) group.register(domain);
    }
  }

  /**
   * As in Karpenter, a constraint without a selector counts all bound pods of its namespaces, although it selects none
   * of the pods to place. Terminating pods do not count.
   */
  #countBoundPods(group: TopologyGroup, { selector, namespaces }: GroupDescription): void {
    const matches = selector === undefined ? () => true : compileLabelSelector(selector, 'labelSelector');
    for (const pod of this.#context.cluster.boundPods.selectable(namespaces, selector)) {
      const node = this.#context.cluster.nodeNamed(pod.nodeName);
      if (node === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
      if (!matches(pod.metadata.labels ?? {})) continue;
      if (!filterAccepts(group.filter, node)) continue;
      const domain = node.requirements.find(group.key);
      if (domain !== undefined) group.record(domain, 1);
    }
  }

  /** Terminating pods count here, unlike in `#countBoundPods`: their anti-affinity applies until they are gone. */
  #addInverseOf(pod: BoundPodView): void {
    const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const node = this.#context.cluster.nodeNamed(pod.nodeName);
    if (node === undefined) return;
    for (const term of terms) {
      const group = this.#inverseGroup(pod.metadata.namespace, term, pod.spec.tolerations ?? []);
      const domain = node.requirements.find(group.key);
      if (domain !== undefined) group.record(domain, 1);
    }
  }

  #inverseGroup(namespace: string, term: PodAffinityTerm, tolerations: readonly Toleration[]): TopologyGroup {
    const namespaces = this.#namespacesOf(namespace, term);
    const { topologyKey, labelSelector } = term;
    const identity = JSON.stringify([topologyKey, namespaces, labelSelector]);
    const known = this.#inverse.get(identity);
    if (known !== undefined) {
      this.#registerPoolDomains(known, tolerations, false);
      return known;
    }
    const group = this.#newGroup(affinityDescription('pod anti-affinity', namespaces, term));
    this.#registerPoolDomains(group, tolerations, false);
    if (group.isHostname) for (const { hostname } of this.#context.cluster.nodes) group.register(hostname);
    this.#inverse.set(identity, group);
    return group;
  }

  #namespacesOf(own: string, { namespaces = [], namespaceSelector }: PodAffinityTerm): readonly string[] {
    // Sorted, because the list is part of the identity of the group.
    if (namespaceSelector === undefined) return namespaces.length === 0 ? [own] : [...namespaces].sort();
    const matches = compileLabelSelector(namespaceSelector, 'namespaceSelector');
    const selected = [...this.#context.snapshot.namespaces]
      .filter(([, labels]) => matches(labels))
      .map(([name]) => name);
    return [...new Set([...namespaces, ...selected])].sort();
  }

  /**
   * Reads all required terms of the spec, including those that relaxation dropped from the variant: kube-scheduler
   * counts nodes that any of them allows (ADR 0012).
   */
  #spreadFilter(
    { spec }: PodClass,
    { nodeAffinityPolicy, nodeTaintsPolicy }: SpreadConstraint,
    tolerations: readonly Toleration[],
  ): NodeFilter {
    const { vocabulary } = this.#context;
    const alternatives = requiredAlternatives(vocabulary, spec);
    const takesAll = nodeAffinityPolicy === 'Ignore' || alternatives.some(({ size }) => size === 0);
    return {
      alternatives: takesAll ? [] : alternatives,
      tolerations: nodeTaintsPolicy === 'Honor' ? tolerations : undefined,
    };
  }
}

interface GroupDescription {
  readonly kind: TopologyKind;
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly minDomains: number | undefined;
  readonly namespaces: readonly string[];
  readonly selector: LabelSelector | undefined;
  readonly filter: NodeFilter | undefined;
  readonly ignoresTaints: boolean;
}

/** Affinity has no skew and no node filter. */
function affinityDescription(
  kind: TopologyKind,
  namespaces: readonly string[],
  { topologyKey, labelSelector }: PodAffinityTerm,
): GroupDescription {
  return {
    kind,
    topologyKey,
    maxSkew: Number.POSITIVE_INFINITY,
    minDomains: undefined,
    namespaces,
    selector: labelSelector,
    filter: undefined,
    ignoresTaints: false,
  };
}

/**
 * For hostname spread, the filter is the same at every step of relaxation. Otherwise pods at different steps would be
 * in different groups and not count each other, although they may be on the same node.
 */
function withSoftTaints({ spec }: PodClass): readonly Toleration[] {
  return [...(spec.tolerations ?? []), { operator: 'Exists', effect: 'PreferNoSchedule' }];
}

function withMatchLabelKeys(
  { labelSelector, matchLabelKeys = [] }: SpreadConstraint,
  labels: Labels,
): LabelSelector | undefined {
  const extra = matchLabelKeys.flatMap((key) => {
    const value = labels[key];
    return value === undefined ? [] : [{ key, operator: 'In', values: [value] }];
  });
  if (labelSelector === undefined || extra.length === 0) return labelSelector;
  return { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...extra] };
}

/** As in Karpenter, required terms are compared by their keys alone: pods that differ in values share a filter. */
function filterIdentity({ alternatives, tolerations }: NodeFilter): unknown {
  return [alternatives.map((alternative) => alternative.keys().map(({ name }) => name)), tolerations ?? null];
}

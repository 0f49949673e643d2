import type { PodView } from '@karpenter/core/scheduling';
import {
  type HostPort,
  hostPorts,
  hostPortsConflict,
  type Labels,
  podRequests,
  type Taint,
  type Toleration,
  untolerated,
} from '@karpenter/core/values';
import { amountsOf, type ExactAmounts, withOnePod } from './amounts.ts';
import { type LabelRules, merge, oneOf, ruleOf } from './label-rule.ts';
import type { ConstrainedSpec, NodeTermSpec } from './pod-spec.ts';

/** Pods that no rule distinguishes: they share their spec object, namespace and labels. */
export interface CheckedPodClass {
  readonly namespace: string;
  readonly labels: Labels;
  readonly spec: ConstrainedSpec;
  readonly requests: ExactAmounts;
  readonly ports: readonly HostPort[];
  readonly tolerations: readonly Toleration[];
  /** The node selector combined with each of the required terms; one of them must hold. */
  readonly alternatives: readonly LabelRules[];
  /** Preferred node affinity, highest weight first. */
  readonly preferred: readonly LabelRules[];
}

export type LabelAliasMap = ReadonlyMap<string, string>;

function termRules(term: NodeTermSpec, aliases: LabelAliasMap): LabelRules {
  const items = term.matchExpressions ?? [];
  return merge(...items.map((item) => new Map([[aliases.get(item.key) ?? item.key, ruleOf(item)]])));
}

function alternativesOf({ nodeSelector = {}, affinity }: ConstrainedSpec, aliases: LabelAliasMap) {
  const selected: LabelRules = merge(
    ...Object.entries(nodeSelector).map(
      ([key, value]): LabelRules => new Map([[aliases.get(key) ?? key, oneOf([value])]]),
    ),
  );
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = required?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [selected];
  return terms.map((term) => merge(selected, termRules(term, aliases)));
}

function preferredOf({ affinity }: ConstrainedSpec, aliases: LabelAliasMap): readonly LabelRules[] {
  const terms = affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [...terms].sort((a, b) => b.weight - a.weight).map((term) => termRules(term.preference, aliases));
}

function describeClass(pod: PodView, aliases: LabelAliasMap): CheckedPodClass {
  const spec = (pod.spec ?? { containers: [] }) as ConstrainedSpec;
  return {
    namespace: pod.metadata.namespace,
    labels: pod.metadata.labels ?? {},
    spec,
    requests: withOnePod(amountsOf(podRequests(pod))),
    ports: hostPorts(pod),
    tolerations: spec.tolerations ?? [],
    alternatives: alternativesOf(spec, aliases),
    preferred: preferredOf(spec, aliases),
  };
}

/** Groups pods into classes, so that work is done once per class. */
export class PodClasses {
  readonly #aliases: LabelAliasMap;
  readonly #bySpec = new Map<unknown, Map<string, CheckedPodClass>>();
  readonly #labelTexts = new WeakMap<Labels, string>();

  constructor(aliases: LabelAliasMap) {
    this.#aliases = aliases;
  }

  of(pod: PodView): CheckedPodClass {
    // The status that a kubelet reports can change the requests, so such pods are classes of their own.
    const identity = pod.status === undefined ? pod.spec : pod;
    const classes = this.#bySpec.get(identity) ?? new Map<string, CheckedPodClass>();
    this.#bySpec.set(identity, classes);
    const key = `${pod.metadata.namespace}\n${this.#labelText(pod.metadata.labels ?? {})}`;
    const known = classes.get(key) ?? describeClass(pod, this.#aliases);
    classes.set(key, known);
    return known;
  }

  #labelText(labels: Labels): string {
    const known = this.#labelTexts.get(labels) ?? JSON.stringify(Object.entries(labels).sort());
    this.#labelTexts.set(labels, known);
    return known;
  }
}

export const softTaint = 'PreferNoSchedule';

/**
 * Taints that the pod does not tolerate; without soft ones if `ignoreSoft`, because relaxation may tolerate
 * them.
 */
export function blockingTaints(
  taints: readonly Taint[],
  { tolerations }: CheckedPodClass,
  ignoreSoft: boolean,
): readonly Taint[] {
  const hard = ignoreSoft ? taints.filter(({ effect }) => effect !== softTaint) : taints;
  return untolerated(hard, tolerations);
}

export function portsConflict(a: CheckedPodClass, b: CheckedPodClass): boolean {
  return a.ports.some((mine) => b.ports.some((theirs) => hostPortsConflict(mine, theirs)));
}

import type { PodAffinityTerm } from '../../scheduling/index.ts';
import {
  compileLabelSelector,
  type LabelPredicate,
  type LabelSelector,
  type Labels,
} from '../../values/index.ts';
import type { ClusterPod } from '../cluster-object.ts';

export type NamespaceLabels = ReadonlyMap<string, Labels>;

/** A hard rule that makes the placement of one pod depend on where others run. */
export interface TopologyTerm {
  readonly key: string;
  /** False for anti-affinity and topology spread. */
  readonly isAffinity: boolean;
  readonly selects: (pod: ClusterPod) => boolean;
}

/** The hard rules of a pod. Preferences are left out because a plan may relax them. */
export function topologyTerms(pod: ClusterPod, namespaces: NamespaceLabels): readonly TopologyTerm[] {
  const { topologySpreadConstraints = [], affinity } = pod.spec;
  const spread = topologySpreadConstraints
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map(({ topologyKey, labelSelector }) => ({
      key: topologyKey,
      isAffinity: false,
      selects: selection(predicate(labelSelector), (name) => name === pod.metadata.namespace),
    }));
  const requiredAffinity = affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...spread,
    ...requiredAffinity.map((term) => affinityTerm(term, true, pod, namespaces)),
    ...antiAffinityTerms(pod, namespaces),
  ];
}

/** Required anti-affinity of a pod, which also applies to pods scheduled after it. */
export function antiAffinityTerms(pod: ClusterPod, namespaces: NamespaceLabels): readonly TopologyTerm[] {
  const terms = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map((term) => affinityTerm(term, false, pod, namespaces));
}

function affinityTerm(
  term: PodAffinityTerm,
  isAffinity: boolean,
  pod: ClusterPod,
  labelsOf: NamespaceLabels,
): TopologyTerm {
  const { topologyKey, labelSelector, namespaces = [], namespaceSelector } = term;
  const isOwn = namespaces.length === 0 && namespaceSelector === undefined;
  const isSelected = predicate(namespaceSelector);
  const inNamespace = (name: string) =>
    isOwn
      ? name === pod.metadata.namespace
      : namespaces.includes(name) || isSelected(labelsOf.get(name) ?? {});
  return { key: topologyKey, isAffinity, selects: selection(predicate(labelSelector), inNamespace) };
}

function selection(matches: LabelPredicate, inNamespace: (name: string) => boolean): TopologyTerm['selects'] {
  return ({ metadata }) => inNamespace(metadata.namespace) && matches(metadata.labels ?? {});
}

/** An invalid selector selects no pods. */
function predicate(selector: LabelSelector | undefined): LabelPredicate {
  try {
    return compileLabelSelector(selector);
  } catch {
    return () => false;
  }
}

import type { Labels } from '@karpenter/core/values';
import type { Pod, PodAffinityTerm, WeightedPodAffinityTerm } from 'kubernetes-types/core/v1.js';
import { type PodSelection, podSelection, withOwnLabels } from './pod-selection.ts';

/** An inter-pod affinity or anti-affinity term, for pods within one topology domain. */
export interface AffinityTerm {
  /** Terms with the same key are equal in selector, topology and weight. */
  readonly key: string;
  readonly topologyKey: string;
  readonly selection: PodSelection;
  /** Negative for anti-affinity; 0 for a required term. */
  readonly weight: number;
}

/** The affinity and anti-affinity terms of a pod. */
export interface AffinityTerms {
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferred: readonly AffinityTerm[];
}

const noAffinityTerms: AffinityTerms = Object.freeze({
  requiredAffinity: [],
  requiredAntiAffinity: [],
  preferred: [],
});

interface Owner {
  readonly namespace: string;
  readonly labels: Labels;
}

export function affinityTerms({ spec }: Pod, owner: Owner): AffinityTerms {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  if (podAffinity === undefined && podAntiAffinity === undefined) return noAffinityTerms;
  const required = (terms: readonly PodAffinityTerm[] = []) =>
    terms.map((term) => affinityTerm(term, owner, 0));
  const preferred = (terms: readonly WeightedPodAffinityTerm[] = [], sign: 1 | -1) =>
    terms.map(({ podAffinityTerm, weight }) => affinityTerm(podAffinityTerm, owner, sign * weight));
  return {
    requiredAffinity: required(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAntiAffinity: required(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferred: [
      ...preferred(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution, 1),
      ...preferred(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution, -1),
    ],
  };
}

function affinityTerm(term: PodAffinityTerm, { namespace, labels }: Owner, weight: number): AffinityTerm {
  const { topologyKey, namespaces = [], namespaceSelector } = term;
  const isOwnNamespace = namespaces.length === 0 && namespaceSelector === undefined;
  const selection = podSelection({
    namespaces: isOwnNamespace ? [namespace] : namespaces,
    namespaceSelector,
    labelSelector: withOwnLabels(term.labelSelector, labels, {
      same: term.matchLabelKeys,
      different: term.mismatchLabelKeys,
    }),
  });
  return { key: `${topologyKey} ${weight} ${selection.key}`, topologyKey, selection, weight };
}

import type { Labels } from '@karpenter/core/values';
import type { Pod, PodAffinityTerm, WeightedPodAffinityTerm } from 'kubernetes-types/core/v1.js';
import { type PodSelection, podSelection, withOwnLabels } from './pod-selection.ts';

/** To be with, or apart from, the selected pods within one domain of the topology. */
export interface AffinityTerm {
  /** Terms with the same key ask for the same thing with the same weight. */
  readonly key: string;
  readonly topologyKey: string;
  readonly selection: PodSelection;
  /** Negative for anti-affinity; 0 for what is required. */
  readonly weight: number;
}

/** What a pod says about other pods. */
export interface AffinityTerms {
  readonly together: readonly AffinityTerm[];
  readonly apart: readonly AffinityTerm[];
  readonly preferred: readonly AffinityTerm[];
}

export const noAffinityTerms: AffinityTerms = Object.freeze({ together: [], apart: [], preferred: [] });

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
    together: required(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    apart: required(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
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

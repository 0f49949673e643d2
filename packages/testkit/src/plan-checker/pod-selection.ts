import { compileLabelSelector, type LabelPredicate, type LabelSelector } from '@karpenter/core/values';
import type { CheckedCluster } from './cluster.ts';
import type { CheckedPodClass } from './pod-class.ts';
import type { PodTermSpec } from './pod-spec.ts';

/** The pods that a pod affinity term or a spread constraint selects. */
interface CheckedPodSelection {
  selects(pod: CheckedPodClass): boolean;
}

/** A required pod affinity or anti-affinity term, shared by all classes with an equal one. */
export interface PodTerm extends CheckedPodSelection {
  readonly key: string;
}

/** An invalid selector selects nothing. */
export function compile(selector: LabelSelector | undefined): LabelPredicate {
  try {
    return compileLabelSelector(selector);
  } catch {
    return () => false;
  }
}

/** Caches the result for each class. */
export function remembered(matches: (pod: CheckedPodClass) => boolean): (pod: CheckedPodClass) => boolean {
  const known = new Map<CheckedPodClass, boolean>();
  return (pod) => {
    const answer = known.get(pod) ?? matches(pod);
    known.set(pod, answer);
    return answer;
  };
}

function namespaceTest(
  term: PodTermSpec,
  own: string,
  { snapshot }: CheckedCluster,
): (name: string) => boolean {
  const listed = new Set(term.namespaces ?? []);
  if (term.namespaceSelector === undefined) {
    return listed.size === 0 ? (name) => name === own : (name) => listed.has(name);
  }
  const matches = compile(term.namespaceSelector);
  return (name) => listed.has(name) || matches(snapshot.namespaces.get(name) ?? {});
}

export type TermKind = 'podAffinity' | 'podAntiAffinity';

/** The terms of all pods, each compiled once. */
export class PodTerms {
  readonly #cluster: CheckedCluster;
  readonly #byText = new Map<string, PodTerm>();
  readonly #byClass = new Map<CheckedPodClass, readonly PodTerm[]>();
  readonly #kind: TermKind;

  constructor(cluster: CheckedCluster, kind: TermKind) {
    this.#cluster = cluster;
    this.#kind = kind;
  }

  of(pod: CheckedPodClass): readonly PodTerm[] {
    const known = this.#byClass.get(pod) ?? this.#compileAll(pod);
    this.#byClass.set(pod, known);
    return known;
  }

  #compileAll(pod: CheckedPodClass): readonly PodTerm[] {
    const terms = pod.spec.affinity?.[this.#kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    return terms.map((term) => {
      const text = `${pod.namespace} ${JSON.stringify(term)}`;
      const known = this.#byText.get(text) ?? this.#compile(term, pod.namespace);
      this.#byText.set(text, known);
      return known;
    });
  }

  #compile(term: PodTermSpec, own: string): PodTerm {
    const isNamespace = namespaceTest(term, own, this.#cluster);
    const isSelected = compile(term.labelSelector);
    return {
      key: term.topologyKey,
      selects: remembered(({ namespace, labels }) => isNamespace(namespace) && isSelected(labels)),
    };
  }
}

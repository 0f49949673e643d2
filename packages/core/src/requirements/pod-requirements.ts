import type { RequirementItem } from './requirement-item.ts';
import { Requirements } from './requirements.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The part of a pod that says on which nodes it may run; matchFields are not supported and not followed. */
export interface NodeConstraints {
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  readonly affinity?: { readonly nodeAffinity?: NodeAffinity | undefined } | undefined;
}

export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?:
    | { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] }
    | undefined;
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredTerm[] | undefined;
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly RequirementItem[] | undefined;
  readonly matchFields?: readonly RequirementItem[] | undefined;
}

export interface PreferredTerm {
  readonly weight: number;
  readonly preference: NodeSelectorTerm;
}

/**
 * What a pod asks of its node now: node selector, the first of the alternative required terms, and its heaviest
 * preference as if it were required. Relaxing the pod brings the next alternative or preference forward.
 */
export function podRequirements(vocabulary: Vocabulary, pod: NodeConstraints): Requirements {
  const strict = strictPodRequirements(vocabulary, pod);
  const terms = pod.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const heaviest = heaviestTerm(terms);
  if (heaviest === undefined) return strict;
  return strict.and(termRequirements(vocabulary, heaviest.preference, 'preferred node affinity'));
}

/** As `podRequirements`, without preferences. */
export function strictPodRequirements(vocabulary: Vocabulary, pod: NodeConstraints): Requirements {
  return requiredAlternatives(vocabulary, pod)[0] ?? Requirements.none;
}

/** The node selector with each of the alternative required terms: one of them must hold. */
export function requiredAlternatives(vocabulary: Vocabulary, pod: NodeConstraints): readonly Requirements[] {
  const selected = Requirements.fromLabels(vocabulary, pod.nodeSelector ?? {});
  const terms =
    pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return [selected];
  return terms.map((term) => selected.and(termRequirements(vocabulary, term, 'required node affinity')));
}

/** What one term asks; `field` names it in the message about a malformed expression. */
export function termRequirements(
  vocabulary: Vocabulary,
  term: NodeSelectorTerm,
  field: string,
): Requirements {
  return Requirements.fromItems(vocabulary, term.matchExpressions ?? [], `${field} matchExpressions`);
}

/** Of equally heavy terms the first. */
function heaviestTerm(terms: readonly PreferredTerm[]): PreferredTerm | undefined {
  return terms.reduce<PreferredTerm | undefined>(
    (best, term) => (best === undefined || term.weight > best.weight ? term : best),
    undefined,
  );
}

import type { RequirementItem } from './requirement-item.ts';
import { Requirements } from './requirements.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The fields of a pod that restrict its nodes. matchFields are not supported and ignored here. */
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
 * The requirements of a pod at its current relaxation: node selector, the first required term, and the
 * preferred term with the highest weight as if it were required. Relaxing the pod moves on to the next term.
 */
export function podRequirements(vocabulary: Vocabulary, pod: NodeConstraints): Requirements {
  const strict = strictPodRequirements(vocabulary, pod);
  const terms = pod.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const heaviest = heaviestTerm(terms);
  if (heaviest === undefined) return strict;
  return strict.and(termRequirements(vocabulary, heaviest.preference, 'preferred node affinity'));
}

/** Like `podRequirements`, without preferences. */
export function strictPodRequirements(vocabulary: Vocabulary, pod: NodeConstraints): Requirements {
  const selected = selectedLabels(vocabulary, pod);
  const [first] = requiredTerms(pod);
  return first === undefined ? selected : withRequiredTerm(vocabulary, selected, first);
}

/** The node selector combined with each required term; terms are ORed. */
export function requiredAlternatives(vocabulary: Vocabulary, pod: NodeConstraints): readonly Requirements[] {
  const selected = selectedLabels(vocabulary, pod);
  const terms = requiredTerms(pod);
  return terms.length === 0 ? [selected] : terms.map((term) => withRequiredTerm(vocabulary, selected, term));
}

function selectedLabels(vocabulary: Vocabulary, { nodeSelector = {} }: NodeConstraints): Requirements {
  return Requirements.fromLabels(vocabulary, nodeSelector);
}

function requiredTerms({ affinity }: NodeConstraints): readonly NodeSelectorTerm[] {
  return affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
}

function withRequiredTerm(
  vocabulary: Vocabulary,
  selected: Requirements,
  term: NodeSelectorTerm,
): Requirements {
  return selected.and(termRequirements(vocabulary, term, 'required node affinity'));
}

/** The requirements of one term; `field` names it in the error for a malformed expression. */
export function termRequirements(
  vocabulary: Vocabulary,
  term: NodeSelectorTerm,
  field: string,
): Requirements {
  return Requirements.fromItems(vocabulary, term.matchExpressions ?? [], `${field} matchExpressions`);
}

/** The first of the terms with the highest weight. */
function heaviestTerm(terms: readonly PreferredTerm[]): PreferredTerm | undefined {
  return terms.reduce<PreferredTerm | undefined>(
    (best, term) => (best === undefined || term.weight > best.weight ? term : best),
    undefined,
  );
}

import type { NodeSelectorView } from '../../ports/index.ts';
import {
  LabelKeySet,
  type RequirementItem,
  type Requirements,
  termRequirements,
  type Vocabulary,
} from '../../requirements/index.ts';

/** One term of a node selector; a node must match any of them. */
export interface NodeTerm {
  readonly requirements: Requirements;
  readonly isName: (name: string) => boolean;
  /** Whether a planned node may match, apart from labels: not if the term names nodes. */
  readonly mayBeNew: boolean;
}

interface NamedNode {
  readonly name: string;
  readonly requirements: Requirements;
}

export function nodeTerms(
  vocabulary: Vocabulary,
  { nodeSelectorTerms }: NodeSelectorView,
): readonly NodeTerm[] {
  return nodeSelectorTerms.map((term) => {
    const names = (term.matchFields ?? []).filter(({ key }) => key === 'metadata.name');
    return {
      requirements: termRequirements(vocabulary, term, 'node selector'),
      isName: (name) => names.every((item) => allowsName(item, name)),
      mayBeNew: names.every(({ operator }) => operator !== 'In'),
    };
  });
}

export function termsAccept(terms: readonly NodeTerm[], { name, requirements }: NamedNode): boolean {
  return terms.some(
    (term) => term.isName(name) && requirements.compatible(term.requirements, LabelKeySet.empty),
  );
}

function allowsName({ operator, values = [] }: RequirementItem, name: string): boolean {
  return values.includes(name) === (operator === 'In');
}

import type { NodePool } from '../api/index.ts';
import {
  coreLabelAliases,
  type LabelKeySet,
  type RequirementItem,
  Requirements,
  Vocabulary,
} from '../requirements/index.ts';
import { type PlanOptions, templateRequirements } from '../scheduling/index.ts';

/** Label keys and values as plans compare them. */
export class LabelSpace {
  readonly vocabulary: Vocabulary;
  readonly wellKnown: LabelKeySet;

  constructor({ labelAliases, wellKnownLabels }: Pick<PlanOptions, 'labelAliases' | 'wellKnownLabels'>) {
    this.vocabulary = new Vocabulary({
      ...coreLabelAliases,
      keys: new Map([...coreLabelAliases.keys, ...labelAliases]),
    });
    this.wellKnown = this.vocabulary.keySet(wellKnownLabels);
  }

  ofPool(pool: NodePool): Requirements {
    return templateRequirements(this.vocabulary, pool);
  }

  of(items: readonly RequirementItem[]): Requirements {
    return Requirements.fromItems(this.vocabulary, items);
  }
}

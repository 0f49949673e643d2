/**
 * The requirement algebra of Karpenter: sets of label values, their intersection and compatibility,
 * minValues, and the validation and error texts of requirements. Value sets are bit sets over a `Vocabulary`,
 * so that planning can compare thousands of instance types cheaply. Start with `requirement.ts` (one key) and
 * `requirements.ts` (many keys).
 */

export { BitSet } from './bit-set.ts';
export type { Bounds } from './bounds.ts';
export {
  checkRequirement,
  type MixedValues,
  mixedKnownValues,
  type RequirementPolicy,
  requirementPolicy,
} from './check-requirement.ts';
export {
  explainDisjoint,
  explainIncompatible,
  type Incompatibility,
  incompatibilitiesText,
  incompatibilityText,
} from './incompatibility.ts';
export { maxInt64, minInt64, parseInt64 } from './int64.ts';
export { coreLabelAliases, type LabelAliases } from './label-aliases.ts';
export { LabelKeySet } from './label-key-set.ts';
export {
  checkMinValues,
  type MinValuesOutcome,
  type MinValuesShortfall,
  minValuesText,
  relaxMinValues,
} from './min-values.ts';
export { nodeClaimLabels } from './node-claim-labels.ts';
export {
  type NodeAffinity,
  type NodeConstraints,
  type NodeSelectorTerm,
  type PreferredTerm,
  podRequirements,
  requiredAlternatives,
  strictPodRequirements,
  termRequirements,
} from './pod-requirements.ts';
export { representative } from './representative.ts';
export { type ReportedOperator, Requirement } from './requirement.ts';
export {
  type RequirementItem,
  requirementFromItem,
  requirementItems,
  requirementOperators,
  type WrittenRequirement,
} from './requirement-item.ts';
export { requirementText } from './requirement-text.ts';
export { agree, Requirements } from './requirements.ts';
export { LabelKey, Vocabulary } from './vocabulary.ts';

/**
 * The requirement algebra of Karpenter: sets of label values, their intersection and compatibility,
 * minValues, and the validation and error texts of requirements. Pure; value sets are bit sets over a
 * `Vocabulary`, so that planning can compare thousands of instance types cheaply. Start with `requirement.ts`
 * (one key) and `requirements.ts` (many keys).
 */

export {
  checkRequirement,
  mixedKnownValues,
  type RequirementPolicy,
  requirementPolicy,
  requirementProblems,
} from './check-requirement.ts';
export {
  explainIncompatible,
  incompatibilitiesText,
} from './incompatibility.ts';
export { coreLabelAliases } from './label-aliases.ts';
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
export { Requirement } from './requirement.ts';
export {
  type RequirementItem,
  requirementFromItem,
  type WrittenRequirement,
} from './requirement-item.ts';
export { requirementText } from './requirement-text.ts';
export { agree, Requirements } from './requirements.ts';
export { LabelKey, Vocabulary } from './vocabulary.ts';

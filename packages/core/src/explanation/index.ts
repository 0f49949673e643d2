/**
 * Explanations: why a pod is pending or where it is, why a node is kept, what a NodePool can launch. Pure. Start with
 * `explanation.ts`.
 */

export type {
  Explanation,
  ExplanationSection,
  FieldChange,
  Finding,
  ProposedChange,
} from './explanation.ts';

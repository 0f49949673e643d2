/**
 * What is legal in NodePools and PodDisruptionBudgets and probably wrong. Pure: the caller reads files and finds
 * instance types. Codes and their texts are in `pool-rule-texts.ts`; rules of a cloud are in its package. Start with
 * `lint.ts`.
 */

export { type LintFinding, type LintRuleText, type LintSeverity, lintSeverities } from './finding.ts';
export { lintPools } from './lint.ts';
export type { LintedBudget, LintedPool, LintedWorkload } from './lint-input.ts';
export { poolRuleTexts } from './pool-rule-texts.ts';

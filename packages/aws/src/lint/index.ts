/**
 * Lint rules for EC2NodeClasses that are valid but probably wrong, in addition to those of `@karpenter/core/lint`.
 * Pure: the caller reads files and prints. Start with `node-class-rules.ts`.
 */

export { lintNodeClasses, nodeClassRuleTexts } from './node-class-rules.ts';

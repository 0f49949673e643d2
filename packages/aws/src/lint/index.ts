/**
 * What is legal in EC2NodeClasses and probably wrong, beside the rules of `@karpenter/core/lint`. Pure: the
 * caller reads files and prints. Start with `node-class-rules.ts`.
 */

export { lintNodeClasses, nodeClassRuleTexts } from './node-class-rules.ts';

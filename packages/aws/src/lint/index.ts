/** What is legal in EC2NodeClasses and probably wrong, beside the rules of `@karpenter/core/lint`. Pure. */

export { lintNodeClasses, nodeClassRuleTexts } from './node-class-rules.ts';

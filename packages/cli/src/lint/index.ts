// `karpenter lint`: reads manifests (`linted-manifests.ts`), finds the instance types of their NodePools and
// prints what is legal and probably wrong. The rules are in `@karpenter/core/lint` and `@karpenter/aws/lint`.
// Calls neither a cluster nor AWS. Start reading at `lint-files.ts`.

export { ignoredCodes, lintRules } from './lint-codes.ts';
export { lintFiles } from './lint-files.ts';
export { lintText } from './lint-text.ts';

// `karpenter cost`: what a cluster costs and where the money goes. The arithmetic is in `@karpenter/core/cluster-view`;
// here are the figures as printed and what consolidation could still save, found by the search of the controllers.
// Reads a cluster and writes nothing. Start reading at `cost-text.ts` and `consolidation-savings.ts`.

export { consolidationSavings, type SavingsInputs } from './consolidation-savings.ts';
export { costCsv, costDocument } from './cost-data.ts';
export type { CostResult } from './cost-result.ts';
export { allGroupings, isNodeGrouping } from './cost-tables.ts';
export { costText } from './cost-text.ts';

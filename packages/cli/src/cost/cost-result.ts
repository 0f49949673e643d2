import type { CostGrouping, CostReport } from '@karpenter/core/cluster-view';
import type { ConsolidationSavings } from './consolidation-savings.ts';

/** What to print. */
export interface CostResult {
  readonly report: CostReport;
  /** In the order of `--by`; empty for the summary of all. */
  readonly groupings: readonly CostGrouping[];
  readonly namespace?: string;
  /** Why consolidation was not looked at, or what it would save. */
  readonly consolidation: ConsolidationSavings | string;
}

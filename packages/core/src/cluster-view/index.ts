/**
 * The read model of the viewers: what the page, `view`, `cost` and `explain` show of a cluster, computed from
 * watched objects alone, so it works beside this controller, beside Karpenter and on clusters with neither.
 * Pure: the caller applies watch events to a ClusterView, supplies prices and reads rows or changes.
 * Start with `cluster-view.ts`, then `node-row.ts`.
 */

export {
  ClusterView,
  type ViewEvent,
  type ViewedKind,
  type ViewedObjects,
} from './cluster-view.ts';
export { apportion } from './cost/apportion.ts';
export {
  type CostGrouping,
  type CostParts,
  type CostReport,
  costReport,
  type NodeCostGroup,
  type NodeGrouping,
  nodeCostGroups,
  nodeGroupings,
  type PodCostGroup,
  type PodGrouping,
  podCostGroups,
  podGroupings,
} from './cost/cost-report.ts';
export { type NanoDollars, nanoPerDollar } from './cost/node-cost.ts';
export { type KeepingEvent, KeepingEvents, keepingReasons, keptReason } from './kept-reason.ts';
export type { NodeRow } from './node-row.ts';
export { type PodCounts, PodTally } from './pod-counts.ts';
export type { PodRow, ViewedPod } from './pod-row.ts';
export type { PoolRow } from './pool-row.ts';

export { type NodePrice, type PricedNode, type PriceOf, priceLabel } from './price.ts';
export type { RowChanges } from './row-table.ts';

export { hoursPerMonth, type Totals, totalsOf } from './totals.ts';

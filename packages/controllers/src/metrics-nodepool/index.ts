/**
 * The controllers `metrics.nodepool` and `state.pricing`: gauges of NodePool limits, usage and cost. They
 * read NodePools and snapshots, and write metrics only. Start with `nodepool-metrics.ts` and `pool-costs.ts`.
 */
export { nodePoolGauges } from './nodepool-metrics.ts';
export { poolCostGauges } from './pool-costs.ts';

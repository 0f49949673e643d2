/** The controllers `metrics.nodepool` and `state.pricing`: gauges of NodePool limits, usage and cost. */
export { nodePoolGauges } from './nodepool-metrics.ts';
export { poolCostGauges } from './pool-costs.ts';

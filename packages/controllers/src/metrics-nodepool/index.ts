export { nodePoolGauges } from './nodepool-metrics.ts';
export { poolCostGauges } from './pool-costs.ts';

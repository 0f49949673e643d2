export { nodePoolGauges } from './nodepool-metrics.ts';

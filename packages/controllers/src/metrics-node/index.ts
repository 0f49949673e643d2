export { nodeStateGauges } from './node-metrics.ts';

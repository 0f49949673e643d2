export { podStateGauges } from './pod-metrics.ts';

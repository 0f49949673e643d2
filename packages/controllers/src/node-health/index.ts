export { type HealthContext, nodeHealth } from './node-health.ts';

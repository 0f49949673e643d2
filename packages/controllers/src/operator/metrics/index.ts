export { MetricRegistry } from './metric-registry.ts';

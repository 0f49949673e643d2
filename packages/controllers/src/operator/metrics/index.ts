export { MetricRegistry } from './metric-registry.ts';
export { measureProcess } from './process-figures.ts';

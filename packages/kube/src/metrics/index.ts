/**
 * A Prometheus registry in a few hundred lines: counters, gauges, histograms and summaries, written as text
 * in pieces. In memory; only `process-metrics.ts` reads the process itself. Start with `metric-registry.ts`;
 * `family.ts` holds the series of one metric, `series.ts` their values.
 */
export { MetricRegistry } from './metric-registry.ts';
export { measureProcess } from './process-metrics.ts';

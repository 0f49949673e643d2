/**
 * A Prometheus registry in a few hundred lines: counters, gauges, histograms and summaries, written as text
 * in pieces. Start with `metric-registry.ts`; `family.ts` holds the series of one metric, `series.ts` their
 * values.
 */
export { MetricRegistry } from './metric-registry.ts';
export { measureProcess } from './process-metrics.ts';

/**
 * The catalogue of metrics: name, help, labels and buckets, as constants. Names and labels are Karpenter's,
 * because dashboards and alerts rely on them. Start with `metric-definition.ts`.
 */

export {
  durationBuckets,
  exponentialBuckets,
  prometheusDefaultBuckets,
  sizeBuckets,
} from './buckets.ts';
export { disruptionMetrics } from './disruption-metrics.ts';
export { fullMetricLabel, metricLabelValue, shortMetricLabel } from './label-names.ts';
export {
  type CounterDefinition,
  counter,
  type GaugeDefinition,
  gauge,
  type HistogramDefinition,
  histogram,
  type MetricDefinition,
  type SummaryDefinition,
  summary,
} from './metric-definition.ts';
export { nodeClaimMetrics } from './node-claim-metrics.ts';
export { nodeMetrics, nodeStateMetrics } from './node-metrics.ts';
export { nodePoolMetrics } from './node-pool-metrics.ts';
export {
  leaderElectionMetrics,
  operatorMetrics,
  processMetrics,
  runtimeMetrics,
} from './operator-metrics.ts';
export { podMetrics } from './pod-metrics.ts';
export { schedulerMetrics } from './scheduler-metrics.ts';
export {
  type StatusConditionMetrics,
  sharedStatusConditionMetrics,
  statusConditionMetrics,
} from './status-condition-metrics.ts';

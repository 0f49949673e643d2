import { exponentialBuckets } from './buckets.ts';
import { fullMetricLabel } from './label-names.ts';
import {
  type CounterDefinition,
  counter,
  type GaugeDefinition,
  gauge,
  type HistogramDefinition,
  histogram,
} from './metric-definition.ts';

export interface StatusConditionMetrics {
  readonly transitionSeconds: HistogramDefinition;
  readonly count: GaugeDefinition;
  readonly currentStatusSeconds: GaugeDefinition;
  readonly transitions: CounterDefinition;
  readonly terminationCurrentTime: GaugeDefinition;
  readonly terminationDuration: HistogramDefinition;
}

const buckets = exponentialBuckets({ start: 0.5, factor: 2, count: 15 });

/**
 * Metrics on the conditions and the deletion of one kind of object.
 * @param objectLabels label keys of the objects that become labels of the metrics
 */
export function statusConditionMetrics(
  kind: string,
  objectLabels: readonly string[] = [],
): StatusConditionMetrics {
  return definitions(`operator_${kind.toLowerCase()}`, objectLabels.map(fullMetricLabel));
}

/**
 * The same metrics for all kinds under one name, as older dashboards expect; deprecated, and absent for
 * Nodes.
 */
export const sharedStatusConditionMetrics: StatusConditionMetrics = definitions('operator', [
  'group',
  'kind',
]);

function definitions(prefix: string, more: readonly string[]): StatusConditionMetrics {
  const series = ['namespace', 'name', 'type', 'status', 'reason', ...more];
  return {
    transitionSeconds: histogram(
      `${prefix}_status_condition_transition_seconds`,
      'Seconds that a condition kept a status before it changed.',
      { buckets, labels: ['type', 'status', ...more] },
    ),
    count: gauge(
      `${prefix}_status_condition_count`,
      'One for each condition, with its status and reason.',
      series,
    ),
    currentStatusSeconds: gauge(
      `${prefix}_status_condition_current_status_seconds`,
      'Seconds that a condition has had its status.',
      series,
    ),
    transitions: counter(
      `${prefix}_status_condition_transitions_total`,
      'Changes of conditions, by the status they changed to.',
      ['type', 'status', 'reason', ...more],
    ),
    terminationCurrentTime: gauge(
      `${prefix}_termination_current_time_seconds`,
      'Seconds since the deletion of an object that is not gone yet.',
      ['namespace', 'name', ...more],
    ),
    terminationDuration: histogram(
      `${prefix}_termination_duration_seconds`,
      'Seconds from the deletion of an object until it is gone.',
      { buckets, labels: more },
    ),
  };
}

import { exponentialBuckets } from './buckets.ts';
import { counter, histogram } from './metric-definition.ts';

const disruptionLabels = [
  'reason',
  'nodepool',
  'capacity_type',
  'consolidation_policy',
  'termination_mode',
] as const;

export const nodeClaimMetrics = {
  created: counter('karpenter_nodeclaims_created_total', 'NodeClaims created, by what asked for them.', [
    'reason',
    'nodepool',
    'min_values_relaxed',
  ]),
  terminated: counter(
    'karpenter_nodeclaims_terminated_total',
    'NodeClaims that were terminated together with their instances.',
    ['nodepool', 'capacity_type', 'zone'],
  ),
  disrupted: counter(
    'karpenter_nodeclaims_disrupted_total',
    'NodeClaims that the controllers disrupted, by reason.',
    disruptionLabels,
  ),
  instanceTerminationDuration: histogram(
    'karpenter_nodeclaims_instance_termination_duration_seconds',
    'Seconds from the request to terminate an instance until the cloud reports it as terminated.',
    { buckets: exponentialBuckets({ start: 1, factor: 2, count: 11 }), labels: ['nodepool'] },
  ),
  terminationDuration: histogram(
    'karpenter_nodeclaims_termination_duration_seconds',
    'Seconds from the deletion of a NodeClaim until it is gone.',
    { buckets: exponentialBuckets({ start: 1, factor: 2, count: 12 }), labels: ['nodepool'] },
  ),
  unhealthyDisrupted: counter(
    'karpenter_nodeclaims_unhealthy_disrupted_total',
    'NodeClaims deleted by node repair, by node condition.',
    ['condition', 'nodepool', 'capacity_type', 'image_id'],
  ),
  podsDisruptionInitiated: counter(
    'karpenter_pods_disruption_initiated_total',
    'Pods to be rescheduled because their NodeClaims were deleted by the controllers.',
    disruptionLabels,
  ),
} as const;

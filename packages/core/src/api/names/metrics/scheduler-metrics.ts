import { durationBuckets } from './buckets.ts';
import { gauge, histogram } from './metric-definition.ts';

const run = ['controller', 'scheduling_id'] as const;

export const schedulerMetrics = {
  schedulingDuration: histogram(
    'karpenter_scheduler_scheduling_duration_seconds',
    'Seconds that planning took, by the controller that asked for it.',
    { buckets: durationBuckets, labels: ['controller'] },
  ),
  queueDepth: gauge(
    'karpenter_scheduler_queue_depth',
    'The number of pods currently waiting to be scheduled.',
    run,
  ),
  unfinishedWork: gauge(
    'karpenter_scheduler_unfinished_work_seconds',
    'Seconds that a running plan has taken so far.',
    run,
  ),
  ignoredPods: gauge(
    'karpenter_scheduler_ignored_pods_count',
    'Pending pods that are ignored because no node can satisfy their specs.',
  ),
  unschedulablePods: gauge(
    'karpenter_scheduler_unschedulable_pods_count',
    'Pods that the last plan could not schedule.',
    ['controller'],
  ),
  pendingPodsByEffectiveZone: gauge(
    'karpenter_scheduler_pending_pods_by_effective_zone_count',
    'Pending pods by the only zone they can go to, or flexible, or none.',
    ['controller', 'zone'],
  ),
} as const;

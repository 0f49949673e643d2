import { durationBuckets } from './buckets.ts';
import { counter, gauge, histogram, summary } from './metric-definition.ts';

const pod = ['name', 'namespace'] as const;
const buckets = durationBuckets;

export const podMetrics = {
  state: gauge('karpenter_pods_state', 'One for each pod, with where it stands.', [
    'name',
    'namespace',
    'owner',
    'node',
    'scheduled',
    'nodepool',
    'zone',
    'arch',
    'capacity_type',
    'instance_type',
    'phase',
    'ready',
    'managed',
  ]),
  startupDuration: summary(
    'karpenter_pods_startup_duration_seconds',
    'Seconds from the creation of a pod until it runs.',
  ),
  boundDuration: histogram(
    'karpenter_pods_bound_duration_seconds',
    'Seconds from the creation of a pod until it is bound to a node.',
    { buckets },
  ),
  provisioningBoundDuration: histogram(
    'karpenter_pods_provisioning_bound_duration_seconds',
    'Seconds from the plan that scheduled a pod until it is bound.',
    { buckets },
  ),
  provisioningStartupDuration: histogram(
    'karpenter_pods_provisioning_startup_duration_seconds',
    'Seconds from the plan that scheduled a pod until it runs.',
    { buckets },
  ),
  schedulingDecisionDuration: histogram(
    'karpenter_pods_scheduling_decision_duration_seconds',
    'Seconds from the time a pending pod was first seen until a plan first considered it.',
    { buckets },
  ),
  unstartedTime: gauge(
    'karpenter_pods_unstarted_time_seconds',
    'Seconds since the creation of a pod that does not run yet.',
    pod,
  ),
  unboundTime: gauge(
    'karpenter_pods_unbound_time_seconds',
    'Seconds since the creation of a pod that is not bound yet.',
    pod,
  ),
  provisioningUnboundTime: gauge(
    'karpenter_pods_provisioning_unbound_time_seconds',
    'Seconds since the plan that scheduled a pod that is not bound yet.',
    pod,
  ),
  provisioningUnstartedTime: gauge(
    'karpenter_pods_provisioning_unstarted_time_seconds',
    'Seconds since the plan that scheduled a pod that does not run yet.',
    pod,
  ),
  schedulingUndecidedTime: gauge(
    'karpenter_pods_provisioning_scheduling_undecided_time_seconds',
    'Seconds since a pending pod that no plan has considered yet was first seen.',
    pod,
  ),
  evictionRequests: counter(
    'karpenter_pods_eviction_requests_total',
    'Evictions requested from the API server, by response code.',
    ['code'],
  ),
  drained: counter('karpenter_pods_drained_total', 'Pods removed from nodes by draining, and why.', [
    'reason',
  ]),
} as const;

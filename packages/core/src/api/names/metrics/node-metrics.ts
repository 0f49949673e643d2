import { lifetimeBuckets } from './buckets.ts';
import { shortMetricLabel } from './label-names.ts';
import { counter, type GaugeDefinition, gauge, histogram, summary } from './metric-definition.ts';

export const nodeMetrics = {
  created: counter('karpenter_nodes_created_total', 'Nodes that have joined the cluster.', [
    'nodepool',
    'zone',
  ]),
  terminated: counter('karpenter_nodes_terminated_total', 'Nodes that have been drained and removed.', [
    'nodepool',
    'zone',
  ]),
  drained: counter('karpenter_nodes_drained_total', 'Nodes that have lost their last pod to draining.', [
    'nodepool',
  ]),
  terminationDuration: summary(
    'karpenter_nodes_termination_duration_seconds',
    'Seconds from the deletion of a node until it is gone.',
    ['nodepool'],
  ),
  lifetimeDuration: histogram(
    'karpenter_nodes_lifetime_duration_seconds',
    'Seconds from the creation of nodes until their deletion.',
    { buckets: lifetimeBuckets, labels: ['nodepool'] },
  ),
} as const;

export type NodeStateMetric =
  | 'allocatable'
  | 'totalPodRequests'
  | 'totalPodLimits'
  | 'totalDaemonRequests'
  | 'totalDaemonLimits'
  | 'systemOverhead'
  | 'currentLifetime';

/** Gauges for the resources and age of each node. Their labels are the provider's well-known node labels. */
export function nodeStateMetrics(
  wellKnownLabels: Iterable<string>,
): Readonly<Record<NodeStateMetric, GaugeDefinition>> {
  const identity = [...Array.from(wellKnownLabels, shortMetricLabel), 'node_name', 'phase', 'managed'];
  const perResource = [...identity, 'resource_type'];
  return {
    allocatable: gauge('karpenter_nodes_allocatable', 'What a node has for pods.', perResource),
    totalPodRequests: gauge(
      'karpenter_nodes_total_pod_requests',
      'Resource requests of the pods of a node, including DaemonSet pods.',
      perResource,
    ),
    totalPodLimits: gauge(
      'karpenter_nodes_total_pod_limits',
      'Resource limits of the pods of a node, including DaemonSet pods.',
      perResource,
    ),
    totalDaemonRequests: gauge(
      'karpenter_nodes_total_daemon_requests',
      'Resource requests of the DaemonSet pods of a node.',
      perResource,
    ),
    totalDaemonLimits: gauge(
      'karpenter_nodes_total_daemon_limits',
      'Resource limits of the DaemonSet pods of a node.',
      perResource,
    ),
    systemOverhead: gauge(
      'karpenter_nodes_system_overhead',
      'Overhead of a node: its capacity less its allocatable resources.',
      perResource,
    ),
    currentLifetime: gauge(
      'karpenter_nodes_current_lifetime_seconds',
      'Seconds since a node was created.',
      identity,
    ),
  };
}

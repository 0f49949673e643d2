import { chosenPools, type Dashboard, interval, type Row } from './dashboard.ts';

const nodes = `karpenter_nodes_current_lifetime_seconds{${chosenPools}}`;
const amount = (metric: string, resource: string) =>
  `sum(karpenter_nodes_${metric}{resource_type="${resource}", ${chosenPools}})`;
const share = (resource: string) =>
  `(${amount('total_pod_requests', resource)} or vector(0)) / ${amount('allocatable', resource)}`;

const overview: Row = {
  title: 'Overview',
  panels: [
    {
      title: 'Nodes',
      description: 'Nodes of the chosen NodePools.',
      unit: 'count',
      kind: 'number',
      queries: [{ expr: `count(${nodes}) or vector(0)`, legend: 'nodes' }],
    },
    {
      title: 'Pods without a node',
      description: 'Pods of the whole cluster that are not bound yet.',
      unit: 'count',
      kind: 'number',
      queries: [{ expr: 'count(karpenter_pods_unbound_time_seconds) or vector(0)', legend: 'pods' }],
    },
    {
      title: 'Longest wait',
      description: 'Age of the oldest pod that is not bound yet.',
      unit: 'seconds',
      kind: 'number',
      queries: [{ expr: 'max(karpenter_pods_unbound_time_seconds) or vector(0)', legend: 'age' }],
    },
    {
      title: 'Unschedulable pods',
      description: 'Pods for which the last plan found no place.',
      unit: 'count',
      kind: 'number',
      queries: [
        {
          expr: 'max(karpenter_scheduler_unschedulable_pods_count{controller="provisioner"})',
          legend: 'pods',
        },
      ],
    },
    {
      title: 'CPU requested',
      description: 'Share of the allocatable CPU that pods request.',
      unit: 'share',
      kind: 'number',
      queries: [{ expr: share('cpu'), legend: 'CPU' }],
    },
    {
      title: 'Memory requested',
      description: 'Share of the allocatable memory that pods request.',
      unit: 'share',
      kind: 'number',
      queries: [{ expr: share('memory'), legend: 'memory' }],
    },
  ],
};

const nodeRow: Row = {
  title: 'Nodes',
  panels: [
    {
      title: 'Nodes by NodePool',
      description: 'Nodes without a NodePool are those that Karpenter does not manage.',
      unit: 'count',
      isStacked: true,
      queries: [{ expr: `count by (nodepool) (${nodes})`, legend: '{{nodepool}}' }],
    },
    {
      title: 'Nodes by instance type',
      description: 'The twelve most frequent types.',
      unit: 'count',
      queries: [{ expr: `topk(12, count by (instance_type) (${nodes}))`, legend: '{{instance_type}}' }],
    },
    {
      title: 'Nodes by zone',
      description: 'An even spread survives the loss of a zone best.',
      unit: 'count',
      isStacked: true,
      queries: [{ expr: `count by (zone) (${nodes})`, legend: '{{zone}}' }],
    },
    {
      title: 'Nodes created and terminated',
      description: 'Nodes that joined the cluster and nodes that were removed, per interval.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (nodepool) (increase(karpenter_nodes_created_total{${chosenPools}}${interval}))`,
          legend: '{{nodepool}} created',
        },
        {
          expr: `sum by (nodepool) (increase(karpenter_nodes_terminated_total{${chosenPools}}${interval}))`,
          legend: '{{nodepool}} terminated',
        },
      ],
    },
    {
      title: 'CPU',
      description: 'Cores that nodes have for pods, and cores that pods request.',
      unit: 'cores',
      queries: [
        { expr: amount('allocatable', 'cpu'), legend: 'allocatable' },
        { expr: amount('total_pod_requests', 'cpu'), legend: 'requested' },
        { expr: amount('total_daemon_requests', 'cpu'), legend: 'requested by daemons' },
      ],
    },
    {
      title: 'Memory',
      description: 'Memory that nodes have for pods, and memory that pods request.',
      unit: 'bytes',
      queries: [
        { expr: amount('allocatable', 'memory'), legend: 'allocatable' },
        { expr: amount('total_pod_requests', 'memory'), legend: 'requested' },
        { expr: amount('total_daemon_requests', 'memory'), legend: 'requested by daemons' },
      ],
    },
  ],
};

const podRow: Row = {
  title: 'Pods and limits',
  panels: [
    {
      title: 'Pods by phase',
      description: 'All pods of the cluster on nodes of the chosen NodePools, and those without a node.',
      unit: 'count',
      isStacked: true,
      queries: [{ expr: `sum by (phase) (karpenter_pods_state{${chosenPools}})`, legend: '{{phase}}' }],
    },
    {
      title: 'Pending pods by zone',
      description: 'The only zone that a pod can go to, `flexible` for several, `none` for pods without one.',
      unit: 'count',
      isStacked: true,
      queries: [
        {
          expr: 'max by (zone) (karpenter_scheduler_pending_pods_by_effective_zone_count)',
          legend: '{{zone}}',
        },
      ],
    },
    {
      title: 'Use of NodePool limits',
      description: 'A NodePool that reaches one of its limits creates no more nodes.',
      unit: 'share',
      queries: [
        {
          expr: `max by (nodepool, resource_type) (karpenter_nodepools_usage{${chosenPools}}) / (max by (nodepool, resource_type) (karpenter_nodepools_limit{${chosenPools}}) > 0)`,
          legend: '{{nodepool}} {{resource_type}}',
        },
      ],
    },
  ],
};

const launchRow: Row = {
  title: 'Launches',
  panels: [
    {
      title: 'NodeClaims created',
      description: 'By what asked for them: provisioning or a disruption that needs a replacement.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (reason) (increase(karpenter_nodeclaims_created_total{${chosenPools}}${interval}))`,
          legend: '{{reason}}',
        },
      ],
    },
    {
      title: 'Failed launches',
      description: '`InsufficientCapacityError` is a shortage; other errors need a person.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (error) (increase(karpenter_cloudprovider_errors_total{method="Create"}${interval}))`,
          legend: '{{error}}',
        },
      ],
    },
    {
      title: 'Errors of fleet requests',
      description: 'A launch tries many offerings, so it may succeed in spite of some errors.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (reason, capacity_type, zone) (increase(karpenter_cloudprovider_instance_launch_failures_total${interval}))`,
          legend: '{{reason}} {{capacity_type}} {{zone}}',
        },
      ],
    },
    {
      title: 'Offerings without capacity',
      description:
        'Instance types that are not offered or were out of capacity lately, by capacity type and zone.',
      unit: 'count',
      queries: [
        {
          expr: 'count by (capacity_type, zone) (karpenter_cloudprovider_instance_type_offering_available{capacity_type!="reserved"} == 0)',
          legend: '{{capacity_type}} {{zone}}',
        },
      ],
    },
  ],
};

export const capacity: Dashboard = {
  name: 'karpenter-capacity',
  title: 'Karpenter / Capacity',
  description: 'What runs, what waits, and why launches fail.',
  rows: [overview, nodeRow, podRow, launchRow],
};

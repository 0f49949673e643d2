import type { Alert } from './alert.ts';

// Expressions avoid the label `namespace` of pods: the Prometheus operator renames it to `exported_namespace`.

const podAlerts: readonly Alert[] = [
  {
    name: 'KarpenterPodsPending',
    page: 'pods-pending',
    summary: 'Pods have waited for a node for more than 15 minutes.',
    description: '{{ $value }} pods have not been bound to a node for more than 15 minutes.',
    expr: 'count(karpenter_pods_unbound_time_seconds > 900) > 0',
    for: '1m',
    severity: 'warning',
  },
  {
    name: 'KarpenterPodsUnschedulable',
    page: 'pods-unschedulable',
    summary: 'No NodePool can create a node for some pods.',
    description: 'The last plans found no place for {{ $value }} pods for 15 minutes.',
    expr: 'max(karpenter_scheduler_unschedulable_pods_count{controller="provisioner"}) > 0',
    for: '15m',
    severity: 'warning',
  },
];

const failedLaunches = 'karpenter_cloudprovider_errors_total{method="Create"';

const capacityAlerts: readonly Alert[] = [
  {
    name: 'KarpenterLaunchFailures',
    page: 'launch-failures',
    summary: 'Instances cannot be launched, for another reason than a shortage of capacity.',
    description: '{{ $value | printf "%.0f" }} launches failed in the last 15 minutes.',
    expr: `sum(increase(${failedLaunches}, error!="InsufficientCapacityError"}[15m])) >= 3`,
    for: '2m',
    severity: 'critical',
  },
  {
    name: 'KarpenterCapacityShortage',
    page: 'capacity-shortage',
    summary: 'AWS has no capacity for many launches.',
    description: '{{ $value | printf "%.0f" }} launches found no capacity in the last 30 minutes.',
    expr: `sum(increase(${failedLaunches}, error="InsufficientCapacityError"}[30m])) >= 5`,
    for: '5m',
    severity: 'warning',
  },
  {
    name: 'KarpenterNodePoolNearLimit',
    page: 'nodepool-near-limit',
    summary: 'A NodePool has used more than 90 % of one of its limits.',
    description:
      'NodePool {{ $labels.nodepool }} uses {{ $value | humanizePercentage }} of its limit on {{ $labels.resource_type }}.',
    expr: `max by (nodepool, resource_type) (karpenter_nodepools_usage)
  / (max by (nodepool, resource_type) (karpenter_nodepools_limit) > 0) > 0.9`,
    for: '15m',
    severity: 'warning',
  },
];

const disruptionAlerts: readonly Alert[] = [
  {
    name: 'KarpenterDisruptionStuck',
    page: 'disruption-stuck',
    summary: 'A NodeClaim has been terminating for more than an hour.',
    description:
      'NodeClaim {{ $labels.name }} was deleted {{ $value | humanizeDuration }} ago and is not gone.',
    expr: 'max by (name) (operator_nodeclaim_termination_current_time_seconds) > 3600',
    for: '5m',
    severity: 'warning',
  },
  {
    name: 'KarpenterInterruptionQueueLag',
    page: 'interruption-queue-lag',
    summary: 'Interruption messages are handled more than a minute late.',
    description:
      'One in twenty messages was handled {{ $value | humanizeDuration }} or more after its event; EC2 takes a spot instance two minutes after its warning.',
    expr: `histogram_quantile(0.95,
  sum by (le) (rate(karpenter_interruption_message_queue_duration_seconds_bucket[10m]))) > 60`,
    for: '2m',
    severity: 'critical',
  },
];

const price = 'sum(karpenter_nodepools_cost_total)';
const highestPriceBefore = `max_over_time(${price}[1d:10m] offset 1h)`;

const costAlerts: readonly Alert[] = [
  {
    name: 'KarpenterCostJump',
    page: 'cost-jump',
    summary: 'The nodes cost half as much again as at any time of the day before.',
    description: 'The nodes of all NodePools cost {{ $value | printf "%.2f" }} dollars an hour.',
    expr: `${price} > 1.5 * ${highestPriceBefore}
  and ${price} - ${highestPriceBefore} > 1`,
    for: '15m',
    severity: 'warning',
  },
];

const healthAlerts: readonly Alert[] = [
  {
    name: 'KarpenterNoLeader',
    page: 'no-leader',
    summary: 'No Karpenter controller leads, so nodes are neither created nor removed.',
    description: 'No scraped Karpenter process has held the lease for 2 minutes.',
    expr: 'absent(leader_election_master_status == 1 and on (job, instance) karpenter_build_info)',
    for: '2m',
    severity: 'critical',
  },
  {
    name: 'KarpenterReconcileErrors',
    page: 'reconcile-errors',
    summary: 'More than half of the reconciles of a controller fail.',
    description: '{{ $value | humanizePercentage }} of the reconciles of {{ $labels.controller }} fail.',
    expr: `sum by (controller) (rate(controller_runtime_reconcile_errors_total[15m]))
  / sum by (controller) (rate(controller_runtime_reconcile_total[15m])) > 0.5`,
    for: '15m',
    severity: 'warning',
  },
];

/** All alerts, in the order of the rules file and of the runbook index. */
export const alerts: readonly Alert[] = [
  ...podAlerts,
  ...capacityAlerts,
  ...disruptionAlerts,
  ...costAlerts,
  ...healthAlerts,
];

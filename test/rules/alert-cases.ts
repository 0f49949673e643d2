/** Series that an alert rule sees, and whether it fires. */
export interface AlertCase {
  readonly alert: string;
  /** What happens, after "fires when" or "is silent when". */
  readonly when: string;
  /** Values once a minute, in the notation of promtool: `0+60x30` is 0, 60, 120 and so on. */
  readonly series: Readonly<Record<string, string>>;
  /** When the rule is judged. */
  readonly at: string;
  /** The labels of the alert besides its severity, and its description. Absent when it is silent. */
  readonly fires?: { readonly labels?: Readonly<Record<string, string>>; readonly description: string };
}

const launchErrors = (error: string) =>
  `karpenter_cloudprovider_errors_total{controller="nodeclaim.lifecycle", method="Create", provider="aws", error="${error}"}`;
const lagBucket = (le: string) => `karpenter_interruption_message_queue_duration_seconds_bucket{le="${le}"}`;
const process = (name: string, instance: string, more = '') =>
  `${name}{job="karpenter", instance="${instance}"${more}}`;
const leaseOf = (instance: string) =>
  process('leader_election_master_status', instance, ', name="karpenter-leader-election"');
const hoursOfDay = 24 * 60;

export const alertCases: readonly AlertCase[] = [
  {
    alert: 'KarpenterPodsPending',
    when: 'a pod waits for 20 minutes',
    series: {
      'karpenter_pods_unbound_time_seconds{name="a", namespace="default"}': '0+60x30',
      'karpenter_pods_unbound_time_seconds{name="b", namespace="default"}': '_x15 0+60x15',
    },
    at: '20m',
    fires: { description: '1 pods have not been bound to a node for more than 15 minutes.' },
  },
  {
    alert: 'KarpenterPodsPending',
    when: 'a pod is bound after 12 minutes',
    series: { 'karpenter_pods_unbound_time_seconds{name="a", namespace="default"}': '0+60x12 stale' },
    at: '20m',
  },
  {
    alert: 'KarpenterPodsUnschedulable',
    when: 'two pods fit no NodePool for 20 minutes',
    series: { 'karpenter_scheduler_unschedulable_pods_count{controller="provisioner"}': '2x30' },
    at: '20m',
    fires: { description: 'The last plans found no place for 2 pods for 15 minutes.' },
  },
  {
    alert: 'KarpenterPodsUnschedulable',
    when: 'a place is found after 10 minutes',
    series: { 'karpenter_scheduler_unschedulable_pods_count{controller="provisioner"}': '2x10 0 2x10' },
    at: '20m',
  },
  {
    alert: 'KarpenterLaunchFailures',
    when: 'four launches fail at once, the first ones of the process',
    series: { [launchErrors('')]: '0x5 4x20' },
    at: '10m',
    fires: { description: '4 launches failed in the last 15 minutes.' },
  },
  {
    alert: 'KarpenterLaunchFailures',
    when: 'launches fail for lack of capacity alone',
    series: { [launchErrors('')]: '0x30', [launchErrors('InsufficientCapacityError')]: '0+2x30' },
    at: '20m',
  },
  {
    alert: 'KarpenterLaunchFailures',
    when: 'a single launch fails',
    series: { [launchErrors('')]: '0x5 1x20' },
    at: '10m',
  },
  {
    alert: 'KarpenterCapacityShortage',
    when: 'every second minute a launch finds no capacity',
    series: { [launchErrors('InsufficientCapacityError')]: '0+0.5x60' },
    at: '30m',
    fires: { description: '15 launches found no capacity in the last 30 minutes.' },
  },
  {
    alert: 'KarpenterCapacityShortage',
    when: 'three launches found no capacity and the next ones did',
    series: { [launchErrors('InsufficientCapacityError')]: '0x5 3x60' },
    at: '20m',
  },
  {
    alert: 'KarpenterNodePoolNearLimit',
    when: 'a NodePool uses 95 of 100 cores',
    series: {
      'karpenter_nodepools_usage{nodepool="default", resource_type="cpu"}': '95x30',
      'karpenter_nodepools_limit{nodepool="default", resource_type="cpu"}': '100x30',
    },
    at: '20m',
    fires: {
      labels: { nodepool: 'default', resource_type: 'cpu' },
      description: 'NodePool default uses 95% of its limit on cpu.',
    },
  },
  {
    alert: 'KarpenterNodePoolNearLimit',
    when: 'a NodePool uses half of its limit, another has a limit of zero and a third has none',
    series: {
      'karpenter_nodepools_usage{nodepool="half", resource_type="cpu"}': '50x30',
      'karpenter_nodepools_limit{nodepool="half", resource_type="cpu"}': '100x30',
      'karpenter_nodepools_usage{nodepool="closed", resource_type="cpu"}': '8x30',
      'karpenter_nodepools_limit{nodepool="closed", resource_type="cpu"}': '0x30',
      'karpenter_nodepools_usage{nodepool="open", resource_type="cpu"}': '8x30',
    },
    at: '20m',
  },
  {
    alert: 'KarpenterDisruptionStuck',
    when: 'a NodeClaim was deleted 70 minutes ago',
    series: {
      'operator_nodeclaim_termination_current_time_seconds{name="default-x7k2p", namespace=""}': '0+60x80',
    },
    at: '70m',
    fires: {
      labels: { name: 'default-x7k2p' },
      description: 'NodeClaim default-x7k2p was deleted 1h 10m 0s ago and is not gone.',
    },
  },
  {
    alert: 'KarpenterDisruptionStuck',
    when: 'a NodeClaim is gone 50 minutes after its deletion',
    series: {
      'operator_nodeclaim_termination_current_time_seconds{name="default-x7k2p", namespace=""}':
        '0+60x50 stale',
    },
    at: '70m',
  },
  {
    alert: 'KarpenterInterruptionQueueLag',
    when: 'messages are handled one to two minutes late',
    series: { [lagBucket('60')]: '0x30', [lagBucket('120')]: '0+1x30', [lagBucket('+Inf')]: '0+1x30' },
    at: '15m',
    fires: {
      description:
        'One in twenty messages was handled 1m 57s or more after its event; EC2 takes a spot instance two minutes after its warning.',
    },
  },
  {
    alert: 'KarpenterInterruptionQueueLag',
    when: 'messages are handled within a second',
    series: { [lagBucket('1')]: '0+1x30', [lagBucket('60')]: '0+1x30', [lagBucket('+Inf')]: '0+1x30' },
    at: '15m',
  },
  {
    alert: 'KarpenterInterruptionQueueLag',
    when: 'there are no messages',
    series: { [lagBucket('60')]: '7x30', [lagBucket('+Inf')]: '9x30' },
    at: '15m',
  },
  {
    alert: 'KarpenterCostJump',
    when: 'the price doubles for 20 minutes after a steady day',
    series: {
      'karpenter_nodepools_cost_total{nodepool="default"}': `10x${hoursOfDay} 25x60`,
      'karpenter_nodepools_cost_total{nodepool="other"}': `2x${hoursOfDay} 2x60`,
    },
    at: `${hoursOfDay + 20}m`,
    fires: { description: 'The nodes of all NodePools cost 27.00 dollars an hour.' },
  },
  {
    alert: 'KarpenterCostJump',
    when: 'the same price was paid the day before',
    series: {
      'karpenter_nodepools_cost_total{nodepool="default"}': `10x600 25x60 10x${hoursOfDay - 660} 25x60`,
    },
    at: `${hoursOfDay + 20}m`,
  },
  {
    alert: 'KarpenterCostJump',
    when: 'a cluster grows from a few cents to half a dollar',
    series: { 'karpenter_nodepools_cost_total{nodepool="default"}': `0.05x${hoursOfDay} 0.5x60` },
    at: `${hoursOfDay + 20}m`,
  },
  {
    alert: 'KarpenterNoLeader',
    when: 'two processes stand by and another program leads with its own lease',
    series: {
      [leaseOf('a:8080')]: '0x10',
      [process('karpenter_build_info', 'a:8080')]: '1x10',
      [leaseOf('b:8080')]: '0x10',
      [process('karpenter_build_info', 'b:8080')]: '1x10',
      'leader_election_master_status{job="other", instance="c:8080", name="other"}': '1x10',
    },
    at: '5m',
    fires: { description: 'No scraped Karpenter process has held the lease for 2 minutes.' },
  },
  {
    alert: 'KarpenterNoLeader',
    when: 'nothing is scraped',
    series: { 'something_else{job="other"}': '1x10' },
    at: '5m',
    fires: { description: 'No scraped Karpenter process has held the lease for 2 minutes.' },
  },
  {
    alert: 'KarpenterNoLeader',
    when: 'another process takes over within a minute',
    series: {
      [leaseOf('a:8080')]: '1x3 stale',
      [process('karpenter_build_info', 'a:8080')]: '1x3 stale',
      [leaseOf('b:8080')]: '0x4 1x6',
      [process('karpenter_build_info', 'b:8080')]: '1x10',
    },
    at: '8m',
  },
  {
    alert: 'KarpenterReconcileErrors',
    when: 'eight of ten reconciles of a controller fail',
    series: {
      'controller_runtime_reconcile_errors_total{controller="interruption"}': '0+8x60',
      'controller_runtime_reconcile_total{controller="interruption", result="error"}': '0+8x60',
      'controller_runtime_reconcile_total{controller="interruption", result="success"}': '0+2x60',
    },
    at: '40m',
    fires: {
      labels: { controller: 'interruption' },
      description: '80% of the reconciles of interruption fail.',
    },
  },
  {
    alert: 'KarpenterReconcileErrors',
    when: 'one of ten reconciles fails, and a controller does nothing',
    series: {
      'controller_runtime_reconcile_errors_total{controller="disruption"}': '0+1x60',
      'controller_runtime_reconcile_total{controller="disruption", result="error"}': '0+1x60',
      'controller_runtime_reconcile_total{controller="disruption", result="success"}': '0+9x60',
      'controller_runtime_reconcile_errors_total{controller="static"}': '0x60',
      'controller_runtime_reconcile_total{controller="static", result="success"}': '0x60',
    },
    at: '40m',
  },
];

import { chosenPools, type Dashboard, interval, type Panel, quantileOf, type Row } from './dashboard.ts';

/** Median and 95th percentile of a histogram without labels of its own. */
function durations(title: string, description: string, metric: string): Panel {
  return {
    title,
    description,
    unit: 'seconds',
    queries: [
      { expr: quantileOf(0.5, `${metric}_bucket`), legend: 'median' },
      { expr: quantileOf(0.95, `${metric}_bucket`), legend: '95th percentile' },
    ],
  };
}

const podRow: Row = {
  title: 'Pods',
  panels: [
    {
      title: 'Pod startup',
      description: 'From the creation of a pod until it is ready, over the last 500 pods.',
      unit: 'seconds',
      queries: [
        {
          expr: 'max by (quantile) (karpenter_pods_startup_duration_seconds{quantile=~"0.5|0.9|0.99"})',
          legend: 'quantile {{quantile}}',
        },
      ],
    },
    durations(
      'Time until a pod is bound',
      'From the creation of a pod until the kube-scheduler binds it.',
      'karpenter_pods_bound_duration_seconds',
    ),
    durations(
      'Time from plan to bound pod',
      'From the plan that found a place for a pod until it is bound: launch, boot and registration.',
      'karpenter_pods_provisioning_bound_duration_seconds',
    ),
    durations(
      'Time until the first decision',
      'From the first sight of a pending pod until the first plan that judged it: mostly the batch window.',
      'karpenter_pods_scheduling_decision_duration_seconds',
    ),
  ],
};

const planRow: Row = {
  title: 'Plans',
  panels: [
    durations(
      'Time of a plan',
      'How long planning takes.',
      'karpenter_scheduler_scheduling_duration_seconds',
    ),
    {
      title: 'Queue depth',
      description: 'Pods that the last plan left without a place, or pods of a plan that runs now.',
      unit: 'count',
      queries: [{ expr: 'max by (controller) (karpenter_scheduler_queue_depth)', legend: '{{controller}}' }],
    },
    {
      title: 'Plans per second',
      description: 'How often the provisioner plans.',
      unit: 'perSecond',
      queries: [
        {
          expr: `sum by (controller) (rate(karpenter_scheduler_scheduling_duration_seconds_count${interval}))`,
          legend: '{{controller}}',
        },
      ],
    },
  ],
};

const cloudRow: Row = {
  title: 'Cloud provider',
  panels: [
    {
      title: 'Time of calls',
      description: '95th percentile of calls to the cloud provider, by method.',
      unit: 'seconds',
      queries: [
        {
          expr: quantileOf(0.95, 'karpenter_cloudprovider_duration_seconds_bucket', ['method']),
          legend: '{{method}}',
        },
      ],
    },
    {
      title: 'Requests in a batch',
      description: 'Requests that one call to EC2 was made for, on average.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (batcher) (rate(karpenter_cloudprovider_batcher_batch_size_sum${interval})) / sum by (batcher) (rate(karpenter_cloudprovider_batcher_batch_size_count${interval}))`,
          legend: '{{batcher}}',
        },
      ],
    },
    {
      title: 'Time of calls to AWS',
      description: '95th percentile by action, retries included.',
      unit: 'seconds',
      queries: [
        {
          expr: quantileOf(0.95, 'aws_sdk_go_request_duration_seconds_bucket', ['action']),
          legend: '{{action}}',
        },
      ],
    },
  ],
};

const nodeRow: Row = {
  title: 'Nodes',
  panels: [
    {
      title: 'Launch, registration, initialization',
      description: 'Median time that these conditions of a NodeClaim take to become true.',
      unit: 'seconds',
      queries: [
        {
          expr: quantileOf(
            0.5,
            'operator_nodeclaim_status_condition_transition_seconds_bucket{type=~"Launched|Registered|Initialized", status="Unknown"}',
            ['type'],
          ),
          legend: '{{type}}',
        },
      ],
    },
    {
      title: 'Termination of nodes',
      description: 'From the deletion of a node until it is gone, over the last 500 nodes of a NodePool.',
      unit: 'seconds',
      queries: [
        {
          expr: `max by (nodepool, quantile) (karpenter_nodes_termination_duration_seconds{quantile=~"0.5|0.99", ${chosenPools}})`,
          legend: '{{nodepool}} quantile {{quantile}}',
        },
      ],
    },
    {
      title: 'Termination of instances',
      description: '95th percentile from the order to terminate until EC2 reports the instance gone.',
      unit: 'seconds',
      queries: [
        {
          expr: quantileOf(
            0.95,
            `karpenter_nodeclaims_instance_termination_duration_seconds_bucket{${chosenPools}}`,
            ['nodepool'],
          ),
          legend: '{{nodepool}}',
        },
      ],
    },
  ],
};

export const performance: Dashboard = {
  name: 'karpenter-performance',
  title: 'Karpenter / Performance',
  description: 'How long pods wait for nodes, and where the time goes.',
  rows: [podRow, planRow, cloudRow, nodeRow],
};

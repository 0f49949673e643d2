import { chosenPools, type Dashboard, interval, quantileOf, type Row } from './dashboard.ts';

const decisionRow: Row = {
  title: 'Voluntary disruption',
  panels: [
    {
      title: 'Decisions',
      description: 'Commands that started: to delete nodes, or to replace them.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (decision, reason) (increase(karpenter_voluntary_disruption_decisions_by_nodepool_total{${chosenPools}}${interval}))`,
          legend: '{{decision}} {{reason}}',
        },
      ],
    },
    {
      title: 'Eligible nodes',
      description: 'Nodes that could be disrupted, whatever budgets allow.',
      unit: 'count',
      queries: [
        { expr: 'max by (reason) (karpenter_voluntary_disruption_eligible_nodes)', legend: '{{reason}}' },
      ],
    },
    {
      title: 'Allowed disruptions',
      description:
        'Nodes that the budgets of a NodePool allow to disrupt now. Zero means that nothing happens.',
      unit: 'count',
      queries: [
        {
          expr: `max by (nodepool, reason) (karpenter_nodepools_allowed_disruptions{${chosenPools}})`,
          legend: '{{nodepool}} {{reason}}',
        },
      ],
    },
    {
      title: 'Nodes that use budgets',
      description: 'Nodes that are not ready or going away count against the budgets.',
      unit: 'count',
      queries: [
        {
          expr: `max by (nodepool, reason) (karpenter_nodepools_nodes_consuming_budgets{${chosenPools}})`,
          legend: '{{nodepool}} {{reason}}',
        },
      ],
    },
    {
      title: 'Failed validations',
      description: 'Candidates that were kept because the cluster changed during the delay of 15 seconds.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (consolidation_type) (increase(karpenter_voluntary_disruption_failed_validations_total${interval}))`,
          legend: '{{consolidation_type}}',
        },
      ],
    },
    {
      title: 'Consolidation moves',
      description: 'Moves that were weighed, by policy and result.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (decision, policy) (increase(karpenter_consolidation_moves_total{${chosenPools}}${interval}))`,
          legend: '{{decision}} {{policy}}',
        },
      ],
    },
    {
      title: 'Time of a search',
      description: '95th percentile, by method.',
      unit: 'seconds',
      queries: [
        {
          expr: quantileOf(
            0.95,
            'karpenter_voluntary_disruption_decision_evaluation_duration_seconds_bucket',
            ['reason'],
          ),
          legend: '{{reason}}',
        },
      ],
    },
    {
      title: 'Coverage of the search',
      description: 'Share of the nodes eligible for consolidation that the last search looked at.',
      unit: 'share',
      queries: [{ expr: 'max(karpenter_voluntary_disruption_evaluation_coverage)', legend: 'coverage' }],
    },
    {
      title: 'Disrupted NodeClaims',
      description: 'NodeClaims that the controllers deleted, by choice or by force.',
      unit: 'count',
      isStacked: true,
      queries: [
        {
          expr: `sum by (reason) (increase(karpenter_nodeclaims_disrupted_total{${chosenPools}}${interval}))`,
          legend: '{{reason}}',
        },
      ],
    },
  ],
};

const drainRow: Row = {
  title: 'Drain and termination',
  panels: [
    {
      title: 'Longest termination',
      description: 'Age of the deletion of NodeClaims that are not gone yet: the five oldest.',
      unit: 'seconds',
      queries: [
        {
          expr: 'topk(5, max by (name) (operator_nodeclaim_termination_current_time_seconds))',
          legend: '{{name}}',
        },
      ],
    },
    {
      title: 'Eviction requests',
      description: 'By the answer of the API server; 429 means that a PodDisruptionBudget forbids it.',
      unit: 'perSecond',
      queries: [
        {
          expr: `sum by (code) (rate(karpenter_pods_eviction_requests_total${interval}))`,
          legend: '{{code}}',
        },
      ],
    },
    {
      title: 'Pods drained',
      description: 'Pods that were removed from nodes, and why.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (reason) (increase(karpenter_pods_drained_total${interval}))`,
          legend: '{{reason}}',
        },
      ],
    },
  ],
};

const interruptionRow: Row = {
  title: 'Interruptions and repair',
  panels: [
    {
      title: 'Interruption messages',
      description: 'Messages from the interruption queue, by kind.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (message_type) (increase(karpenter_interruption_received_messages_total${interval}))`,
          legend: '{{message_type}}',
        },
      ],
    },
    {
      title: 'Lag of the interruption queue',
      description: 'Time from an event until its message is handled. A spot warning comes two minutes ahead.',
      unit: 'seconds',
      queries: [
        {
          expr: quantileOf(0.5, 'karpenter_interruption_message_queue_duration_seconds_bucket'),
          legend: 'median',
        },
        {
          expr: quantileOf(0.95, 'karpenter_interruption_message_queue_duration_seconds_bucket'),
          legend: '95th percentile',
        },
      ],
    },
    {
      title: 'Unhealthy instances and nodes',
      description: 'Instances with failed status checks, and NodeClaims that node repair deleted.',
      unit: 'count',
      queries: [
        {
          expr: `sum by (category) (increase(karpenter_interruption_instance_status_unhealthy_total${interval}))`,
          legend: 'instance {{category}}',
        },
        {
          expr: `sum by (condition) (increase(karpenter_nodeclaims_unhealthy_disrupted_total{${chosenPools}}${interval}))`,
          legend: 'repaired {{condition}}',
        },
      ],
    },
  ],
};

export const disruption: Dashboard = {
  name: 'karpenter-disruption',
  title: 'Karpenter / Disruption',
  description: 'Which nodes go away and why, what holds them back, and how long it takes.',
  rows: [decisionRow, drainRow, interruptionRow],
};

import { counter, gauge } from './metric-definition.ts';

export const nodePoolMetrics = {
  allowedDisruptions: gauge(
    'karpenter_nodepools_allowed_disruptions',
    'Nodes of a NodePool that its budgets allow to be disrupted now, by reason.',
    ['nodepool', 'reason'],
  ),
  nodesConsumingBudgets: gauge(
    'karpenter_nodepools_nodes_consuming_budgets',
    'Nodes of a NodePool that count against its budgets because they are not ready or being deleted, by reason.',
    ['nodepool', 'reason'],
  ),
  limit: gauge('karpenter_nodepools_limit', 'The limit that a NodePool sets on a resource.', [
    'resource_type',
    'nodepool',
  ]),
  usage: gauge('karpenter_nodepools_usage', 'What the nodes of a NodePool have of a resource.', [
    'resource_type',
    'nodepool',
  ]),
  cost: gauge('karpenter_nodepools_cost_total', 'What the nodes of a NodePool cost in an hour.', [
    'nodepool',
  ]),
  costTrackerErrors: counter(
    'karpenter_nodepools_cost_tracker_errors_total',
    'Times that the price of a node of a NodePool could not be found.',
    ['nodepool'],
  ),
} as const;

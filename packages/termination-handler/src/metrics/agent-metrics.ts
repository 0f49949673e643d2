import { counter } from '@karpenter/core/api';
import type { Counters } from '@karpenter/core/ports';

/** The metrics of aws-node-termination-handler, by its names. */
export const agentMetrics = {
  actions: counter('actions_total', 'Number of actions', ['node_action', 'node_status']),
  nodeActions: counter('actions_node_total', 'Number of actions per node; deprecated, use actions_total', [
    'node_action',
    'node_status',
    'node_name',
    'event_id',
  ]),
  errors: counter('events_error_total', 'Number of errors in events processing', ['event_error_where']),
} as const;

export type NodeAction = 'cordon' | 'cordon-and-drain' | 'uncordon' | 'pre-drain';

export interface ActionOutcome {
  readonly action: NodeAction;
  readonly status: 'success' | 'error';
  readonly nodeName: string;
  readonly eventId: string;
}

/** Counts an action in both metrics. */
export function countAction(meters: Counters, { action, status, nodeName, eventId }: ActionOutcome): void {
  const labels = { node_action: action, node_status: status };
  meters.increment(agentMetrics.actions, labels);
  meters.increment(agentMetrics.nodeActions, { ...labels, node_name: nodeName, event_id: eventId });
}

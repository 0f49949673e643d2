import { formatTimestamp, getCondition, type NodePool, nodePoolConditions } from '@karpenter/core/api';

/**
 * Adds a true Ready condition to a NodePool that has none: no controller has seen it, because it comes from a manifest
 * that is not applied yet. A NodePool exported from a live cluster keeps its condition.
 */
export function withDefaultReadiness(nodePool: NodePool, now: number): NodePool {
  const conditions = nodePool.status?.conditions ?? [];
  const { ready } = nodePoolConditions;
  if (getCondition({ conditions }, ready) !== undefined) return nodePool;
  const condition = {
    type: ready,
    status: 'True' as const,
    reason: ready,
    message: '',
    lastTransitionTime: formatTimestamp(now),
  };
  const status = { nodes: 0, resources: {}, ...nodePool.status, conditions: [...conditions, condition] };
  return { ...nodePool, status };
}

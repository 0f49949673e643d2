import { formatTimestamp, getCondition, type NodePool, nodePoolConditions } from '@karpenter/core/api';

/**
 * A NodePool that no controller has looked at, such as one of a manifest that is not applied yet, counts as ready.
 * The readiness of a NodePool of a live cluster stays as it is.
 */
export function readyUnlessJudged(nodePool: NodePool, now: number): NodePool {
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

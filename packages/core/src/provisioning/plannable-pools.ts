import { isConditionTrue, type NodePool, nodePoolConditions } from '../api/index.ts';

export interface PlannablePools {
  readonly nodePools: readonly NodePool[];
  /** Pools that would be used if they were ready. */
  readonly notReady: readonly NodePool[];
}

/** The NodePools that a plan may create nodes from: managed, not static, not being deleted, and ready. */
export function plannablePools(
  nodePools: readonly NodePool[],
  isManaged: (nodePool: NodePool) => boolean,
): PlannablePools {
  const dynamic = nodePools.filter(
    (nodePool) =>
      isManaged(nodePool) &&
      nodePool.spec.replicas === undefined &&
      nodePool.metadata.deletionTimestamp === undefined,
  );
  return {
    nodePools: dynamic.filter(isPoolReady),
    notReady: dynamic.filter((nodePool) => !isPoolReady(nodePool)),
  };
}

export function isPoolReady({ status }: Pick<NodePool, 'status'>): boolean {
  return isConditionTrue({ conditions: status?.conditions ?? [] }, nodePoolConditions.ready);
}

/** Whether nodes of the pool are known to register. */
export function isRegistrationHealthy({ status }: Pick<NodePool, 'status'>): boolean {
  return isConditionTrue(
    { conditions: status?.conditions ?? [] },
    nodePoolConditions.nodeRegistrationHealthy,
  );
}

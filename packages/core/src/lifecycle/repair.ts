import { repairTuning, timestampMs } from '../api/index.ts';
import type { RepairPolicy } from '../ports/index.ts';
import type { ClusterNode } from '../state/index.ts';

/** A node condition that a repair policy covers, and when its toleration ends. */
export interface UnhealthyCondition {
  readonly conditionType: string;
  /** In milliseconds since 1970. */
  readonly repairAt: number;
}

/** The unhealthy condition of a node whose toleration ends first. */
export function unhealthyConditionOf(
  node: ClusterNode,
  policies: readonly RepairPolicy[],
): UnhealthyCondition | undefined {
  const found = policies.flatMap(({ conditionType, conditionStatus, toleration }) => {
    const condition = (node.status?.conditions ?? []).find(({ type }) => type === conditionType);
    if (condition?.status !== conditionStatus) return [];
    const since = timestampMs(condition.lastTransitionTime) ?? Number.NEGATIVE_INFINITY;
    return [{ conditionType, repairAt: since + toleration }];
  });
  return found.reduce<UnhealthyCondition | undefined>(
    (first, next) => (first !== undefined && first.repairAt <= next.repairAt ? first : next),
    undefined,
  );
}

/**
 * Whether so many nodes are unhealthy that the cause must lie elsewhere: replacing them would not help, and would
 * disrupt what still runs. As in Karpenter, nodes count as soon as a policy matches, before its toleration has passed.
 */
export function isWidespread(nodes: readonly ClusterNode[], policies: readonly RepairPolicy[]): boolean {
  const unhealthy = nodes.filter((node) => unhealthyConditionOf(node, policies) !== undefined).length;
  return unhealthy > Math.ceil(nodes.length * repairTuning.maxUnhealthyShare);
}

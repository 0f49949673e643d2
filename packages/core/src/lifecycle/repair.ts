import { repairTuning, timestampMs } from '../api/index.ts';
import type { RepairPolicy } from '../ports/index.ts';
import type { ClusterNode } from '../state/index.ts';

/** A condition of a node that calls for repair, and from when on. */
export interface Ailment {
  readonly conditionType: string;
  /** In milliseconds since 1970. */
  readonly repairAt: number;
}

/** What is wrong with a node; of several things the one that is tolerated for the shortest time from now. */
export function ailmentOf(node: ClusterNode, policies: readonly RepairPolicy[]): Ailment | undefined {
  const ailments = policies.flatMap(({ conditionType, conditionStatus, toleration }) => {
    const condition = (node.status?.conditions ?? []).find(({ type }) => type === conditionType);
    if (condition?.status !== conditionStatus) return [];
    const since = timestampMs(condition.lastTransitionTime) ?? Number.NEGATIVE_INFINITY;
    return [{ conditionType, repairAt: since + toleration }];
  });
  return ailments.reduce<Ailment | undefined>(
    (first, next) => (first !== undefined && first.repairAt <= next.repairAt ? first : next),
    undefined,
  );
}

/**
 * Whether so many nodes are ill that something else than the nodes must be: replacing them would not help and take
 * away what still runs. Nodes count as ill from the first moment.
 */
export function isWidespread(nodes: readonly ClusterNode[], policies: readonly RepairPolicy[]): boolean {
  const ill = nodes.filter((node) => ailmentOf(node, policies) !== undefined).length;
  return ill > Math.ceil(nodes.length * repairTuning.maxUnhealthyShare);
}

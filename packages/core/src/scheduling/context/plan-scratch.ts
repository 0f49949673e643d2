import { type ExistingNode, emptiedNode } from '../existing-nodes/existing-node.ts';
import { NodeBlocks } from '../existing-nodes/node-blocks.ts';
import { RemainingReservations } from '../limits/reservations.ts';
import type { PlanContext } from './plan-context.ts';

/** What one attempt at a plan uses up. Each attempt starts with a scratch area of its own. */
export interface PlanScratch {
  /** Copies of `PlanCluster.nodes`, in the same order, which the attempt fills with pods. */
  readonly nodes: readonly ExistingNode[];
  /** The same nodes, for pods that look for room. */
  readonly blocks: NodeBlocks;
  readonly reservations: RemainingReservations;
}

/**
 * @param nodes copies to fill, for a caller that reuses its own and empties them afterwards
 */
export function newScratch(
  { cluster, pools }: PlanContext,
  nodes: readonly ExistingNode[] = cluster.nodes.map(emptiedNode),
): PlanScratch {
  return {
    nodes,
    blocks: new NodeBlocks(nodes),
    reservations: new RemainingReservations(pools.reservedCapacity),
  };
}

import type { NodeTable } from './node-table.ts';
import type { PoolBook } from './pool-book.ts';
import type { Fact } from './state-event.ts';

/** What passes and commands say of nodes and pools. */
export type PlanFact = Extract<
  Fact,
  {
    readonly type:
      | 'nominated'
      | 'markedForDeletion'
      | 'unmarkedForDeletion'
      | 'pendingDisruption'
      | 'disruptionDropped'
      | 'nodesReserved'
      | 'nodesReleased'
      | 'bufferPodsPlaced';
  }
>;

interface PlanParts {
  readonly nodes: NodeTable;
  readonly pools: PoolBook;
}

/** Whether anything is different now. Facts about nodes that are not there are about the past, and dropped. */
export function learnPlan(fact: PlanFact, { nodes, pools }: PlanParts): boolean {
  switch (fact.type) {
    case 'nominated':
      return some(fact.nodes, (id) => nodes.nominate(id, fact.until));
    case 'markedForDeletion':
      return some(fact.nodes, (id) => {
        for (const name of nodes.claimNamesOf(id)) pools.drop(name);
        return nodes.mark(id, true);
      });
    case 'unmarkedForDeletion':
      return some(fact.nodes, (id) => nodes.mark(id, false));
    case 'pendingDisruption':
      return some(fact.nodeClaims, (name) => pools.pick(name));
    case 'disruptionDropped':
      return some(fact.nodeClaims, (name) => pools.drop(name));
    case 'nodesReserved':
      return pools.reserve(fact.nodePool, fact.count);
    case 'nodesReleased':
      return pools.reserve(fact.nodePool, -fact.count);
    case 'bufferPodsPlaced':
      return nodes.setBufferPods(fact.byNode);
  }
}

/** Tells all, and whether any of them made a difference. */
function some(names: readonly string[], tell: (name: string) => boolean): boolean {
  return names.map(tell).includes(true);
}

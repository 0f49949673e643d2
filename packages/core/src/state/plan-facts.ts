import type { NodeTable } from './nodes/node-table.ts';
import type { PoolTracker } from './pools/pool-tracker.ts';
import type { Fact } from './state-event.ts';

/** Facts from provisioning passes and disruption commands about nodes and pools. */
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
  readonly pools: PoolTracker;
}

/** Returns whether anything changed. Facts about nodes that no longer exist are dropped. */
export function applyPlanFact(fact: PlanFact, { nodes, pools }: PlanParts): boolean {
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

/** Applies a fact to every name, without stopping at the first change. */
function some(names: readonly string[], apply: (name: string) => boolean): boolean {
  return names.map(apply).includes(true);
}

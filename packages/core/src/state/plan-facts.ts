import type { NodeTable } from './nodes/node-table.ts';
import type { PoolTracker } from './pools/pool-tracker.ts';
import type { Fact, NodesNominated } from './state-event.ts';

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
  /** Whether the pod with this uid exists and is not bound to a node. */
  readonly isWaiting: (uid: string) => boolean;
}

/** Returns whether anything changed. Facts about nodes that no longer exist are dropped. */
export function applyPlanFact(fact: PlanFact, { nodes, pools, isWaiting }: PlanParts): boolean {
  switch (fact.type) {
    case 'nominated':
      return applyToAll(fact.nodes, (id) => nominate(id, fact, { nodes, isWaiting }));
    case 'markedForDeletion':
      return applyToAll(fact.nodes, (id) => {
        // Its claims count as deleting from now on, no longer as pending disruption.
        for (const name of nodes.claimNamesOf(id)) pools.drop(name);
        return nodes.mark(id, true);
      });
    case 'unmarkedForDeletion':
      return applyToAll(fact.nodes, (id) => nodes.mark(id, false));
    case 'pendingDisruption':
      return applyToAll(fact.nodeClaims, (name) => pools.pick(name));
    case 'disruptionDropped':
      return applyToAll(fact.nodeClaims, (name) => pools.drop(name));
    case 'nodesReserved':
      return pools.reserve(fact.nodePool, fact.count);
    case 'nodesReleased':
      return pools.reserve(fact.nodePool, -fact.count);
    case 'bufferPodsPlaced':
      return nodes.setBufferPods(fact.byNode);
  }
}

function nominate(
  id: string,
  { until, pods = [] }: NodesNominated,
  { nodes, isWaiting }: Pick<PlanParts, 'nodes' | 'isWaiting'>,
): boolean {
  const waiting = pods.filter(isWaiting);
  // A pod that still runs elsewhere is not bound again: its successor has another uid (ADR 0015).
  const endsByTime = pods.length === 0 || waiting.length < pods.length;
  return applyToAll([...waiting, ...(endsByTime ? [undefined] : [])], (pod) =>
    nodes.nominate(id, until, pod),
  );
}

/** Applies a fact to every name and returns whether any changed; `Array.some` would stop at the first change. */
function applyToAll<Name>(names: readonly Name[], apply: (name: Name) => boolean): boolean {
  return names.map(apply).includes(true);
}

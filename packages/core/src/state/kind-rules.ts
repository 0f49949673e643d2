import type { NodeClaim } from '../api/index.ts';
import type { StateKind, StateObjects } from './cluster-object.ts';
import type { Launches } from './launches/launches.ts';
import type { NodeTable } from './nodes/node-table.ts';
import type { ClusterPods } from './pods/cluster-pods.ts';
import type { DaemonPods } from './pods/daemon-pods.ts';
import type { PoolTracker } from './pools/pool-tracker.ts';

/** Side effects of storing or removing an object of a kind, such as indexing it by node. */
interface KindRule<T> {
  readonly put: (object: T, previous: T | undefined) => void;
  readonly remove: (object: T) => void;
}

export interface StateParts {
  readonly nodes: NodeTable;
  readonly pods: ClusterPods;
  readonly daemons: DaemonPods;
  readonly launches: Launches;
  readonly pools: PoolTracker;
}

export type StateKindRules = { readonly [K in StateKind]?: KindRule<StateObjects[K]> };

/** Kinds without a rule are only stored. */
export function kindRules(parts: StateParts): StateKindRules {
  const { nodes, pods, daemons } = parts;
  return {
    Node: { put: (node) => nodes.putNode(node), remove: (node) => nodes.removeNode(node) },
    NodeClaim: claimRule(parts),
    Pod: { put: (pod, previous) => pods.put(pod, previous), remove: (pod) => pods.remove(pod) },
    DaemonSet: { put: (set) => daemons.putSet(set), remove: (set) => daemons.removeSet(set) },
    CSINode: { put: (node) => nodes.putCsiNode(node), remove: (node) => nodes.removeCsiNode(node) },
  };
}

function claimRule({ nodes, launches, pools }: StateParts): KindRule<NodeClaim> {
  return {
    put: (claim) => {
      nodes.putClaim(claim);
      launches.put(claim);
      pools.putClaim(claim);
    },
    remove: (claim) => {
      nodes.removeClaim(claim);
      launches.remove(claim.metadata.name);
      pools.removeClaim(claim);
    },
  };
}

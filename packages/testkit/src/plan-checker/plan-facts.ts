import type { Plan } from '@karpenter/core/scheduling';
import type { BoundPod, CheckedCluster } from './cluster.ts';
import {
  type ExistingLocation,
  existingLocation,
  type NewLocation,
  type PlacedPod,
  placedPodsOf,
  Reach,
} from './location.ts';

/** A plan applied to its cluster: which pod is where. */
export interface PlanFacts {
  readonly cluster: CheckedCluster;
  readonly plan: Plan;
  /** All nodes, with or without pods of the plan. */
  readonly existing: readonly ExistingLocation[];
  readonly fresh: readonly NewLocation[];
}

function occupants(cluster: CheckedCluster, uids: readonly string[]): readonly PlacedPod[] {
  return placedPodsOf(
    uids.flatMap((uid) => {
      const pod = cluster.pods.get(uid);
      return pod === undefined ? [] : [{ uid, pod: cluster.classOf(pod) }];
    }),
  );
}

function boundByNode({ bound }: CheckedCluster): ReadonlyMap<string, readonly BoundPod[]> {
  const byNode = new Map<string, BoundPod[]>();
  for (const pod of bound) {
    const pods = byNode.get(pod.node);
    if (pods === undefined) byNode.set(pod.node, [pod]);
    else pods.push(pod);
  }
  return byNode;
}

export function readPlan(cluster: CheckedCluster, plan: Plan): PlanFacts {
  const bound = boundByNode(cluster);
  const placed = new Map<string, string[]>();
  for (const { node, pods } of plan.placements) placed.set(node, [...(placed.get(node) ?? []), ...pods]);
  const reach = new Reach(cluster);
  return {
    cluster,
    plan,
    existing: [...cluster.nodes.values()].map((node) =>
      existingLocation(node, occupants(cluster, placed.get(node.name) ?? []), bound.get(node.name) ?? []),
    ),
    fresh: plan.newNodes.flatMap((planned, index) => {
      const location = reach.locate(planned, index, occupants(cluster, planned.pods));
      return location === undefined ? [] : [location];
    }),
  };
}

import { controllerReference } from '../../values/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import type { NodeState } from '../nodes/node-state.ts';

/** A node with the pods recorded for it, before swaps by the kube-scheduler are taken into account. */
export interface RecordedNode {
  readonly node: NodeState;
  readonly pods: readonly ClusterPod[];
}

/**
 * The kube-scheduler does not know for which pods a node was launched and binds any of several equal pods. A
 * pod bound to a node that was kept for another leaves its own node to that one. Returns, by uid of each
 * displaced pod, the NodeClaim it now belongs to.
 */
export function exchangedPods(
  recorded: ReadonlyMap<string, RecordedNode>,
  claimOf: (uid: string) => string | undefined,
): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const [claim, { node, pods }] of recorded) {
    for (const { pod: bound } of node.pods) {
      const ownClaim = claimOf(bound.metadata.uid);
      if (ownClaim === undefined || ownClaim === claim) continue;
      const displaced = pods.find((pod) => !places.has(pod.metadata.uid) && areAlike(pod, bound));
      if (displaced !== undefined) places.set(displaced.metadata.uid, ownClaim);
    }
  }
  return places;
}

/**
 * Pods of one controller are interchangeable, except those of a StatefulSet: their volumes tie them to a
 * zone.
 */
function areAlike(a: ClusterPod, b: ClusterPod): boolean {
  const owner = controllerReference(a.metadata);
  const other = controllerReference(b.metadata);
  return (
    owner !== undefined &&
    owner.kind !== 'StatefulSet' &&
    owner.kind === other?.kind &&
    owner.name === other.name &&
    a.metadata.namespace === b.metadata.namespace
  );
}

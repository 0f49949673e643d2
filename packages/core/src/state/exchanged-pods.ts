import { controllerReference } from '../values/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import type { NodeState } from './node-state.ts';

/** A node that expects pods, before it is known whom the kube-scheduler has sent there. */
export interface RecordedNode {
  readonly node: NodeState;
  readonly pods: readonly ClusterPod[];
}

/**
 * The kube-scheduler knows no records: of pods that are alike it takes any. One that was bound where another was
 * expected has left its own place to it. Answers with that place, a NodeClaim, for each pod that has to go there.
 */
export function exchangedPods(
  recorded: ReadonlyMap<string, RecordedNode>,
  claimOf: (uid: string) => string | undefined,
): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const [claim, { node, pods }] of recorded) {
    for (const { pod: guest } of node.pods) {
      const left = claimOf(guest.metadata.uid);
      if (left === undefined || left === claim) continue;
      const displaced = pods.find((pod) => !places.has(pod.metadata.uid) && areAlike(pod, guest));
      if (displaced !== undefined) places.set(displaced.metadata.uid, left);
    }
  }
  return places;
}

/** Of one controller, and without volumes of their own, which would tie them to a zone. */
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

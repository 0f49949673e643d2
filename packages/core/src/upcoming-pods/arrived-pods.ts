import { upcomingOwner } from '../scheduling/index.ts';
import type { ClusterSnapshot } from '../state/index.ts';
import { ownerOf } from './upcoming-pods.ts';

/** Pods that take the places of upcoming pods on a NodeClaim that is launching. */
interface ArrivedPods {
  readonly nodeClaim: string;
  readonly nodePool: string | undefined;
  /** Uids. */
  readonly pods: readonly string[];
  /** Uids of as many upcoming pods. */
  readonly insteadOf: readonly string[];
}

interface Place {
  readonly nodeClaim: string;
  readonly uid: string;
}

/**
 * Matches pods to the launching NodeClaims that were sized for them. A plan cannot use the room of such a
 * NodeClaim before its instance is known, and would launch another node for them.
 */
export function arrivedPods({
  launching,
  pendingPods,
}: Pick<ClusterSnapshot, 'launching' | 'pendingPods'>): readonly ArrivedPods[] {
  const places = placesByOwner(launching);
  if (places.size === 0) return [];
  const taken = new Map<string, { readonly pods: string[]; readonly insteadOf: string[] }>();
  for (const { metadata } of pendingPods) {
    const place = places.get(ownerOf(metadata)?.uid ?? '')?.shift();
    if (place === undefined) continue;
    const known = taken.get(place.nodeClaim) ?? { pods: [], insteadOf: [] };
    known.pods.push(metadata.uid);
    known.insteadOf.push(place.uid);
    taken.set(place.nodeClaim, known);
  }
  return launching.flatMap(({ nodeClaim: { metadata }, view }) => {
    const arrived = taken.get(metadata.name);
    return arrived === undefined ? [] : [{ nodeClaim: metadata.name, nodePool: view.nodePool, ...arrived }];
  });
}

/** The places of upcoming pods, by the uid of their owner. */
function placesByOwner(launching: ClusterSnapshot['launching']): ReadonlyMap<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const { nodeClaim, pods = [] } of launching) {
    for (const uid of pods) {
      const owner = upcomingOwner(uid);
      if (owner === undefined) continue;
      const known = places.get(owner.uid) ?? [];
      known.push({ nodeClaim: nodeClaim.metadata.name, uid });
      places.set(owner.uid, known);
    }
  }
  return places;
}

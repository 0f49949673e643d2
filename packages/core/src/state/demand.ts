import { compareTimestamps } from '../api/index.ts';
import type { BoundPodView, PodView } from '../scheduling/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import { LaunchTies } from './launch-ties.ts';
import { isForPods, type LaunchingClaim, podsOnTheirWay } from './launching-claim.ts';
import type { NamespaceLabels } from './topology-terms.ts';

/** A pod that needs a node and is not planned for until a NodeClaim is launched, or gone. */
export interface HeldPod {
  readonly pod: PodView;
  readonly nodeClaim: string;
  readonly cause: HoldCause;
}

/**
 * `launching`: the claim was made for the pod. `possibly-launching`: it may have been, before this process
 * began. `topology`: where the pod may go depends on where the claim's pods will be.
 */
export type HoldCause = 'launching' | 'possibly-launching' | 'topology';

/** Pods by how they come to need a node. */
export interface PodsInNeed {
  readonly pending: readonly ClusterPod[];
  /** On nodes that are going away. */
  readonly moving: readonly ClusterPod[];
}

export interface Demand extends PodsInNeed {
  readonly held: readonly HeldPod[];
  /** Held pods as they will be once their claims are launched. */
  readonly onLaunching: readonly BoundPodView[];
}

export interface LaunchSurroundings {
  readonly launching: readonly LaunchingClaim[];
  readonly podOf: (uid: string) => ClusterPod | undefined;
  readonly namespaces: NamespaceLabels;
}

/** Divides the pods in need into those to plan for and those that a launch under way holds. */
export function demand(pods: PodsInNeed, { launching, podOf, namespaces }: LaunchSurroundings): Demand {
  if (launching.length === 0) return { ...pods, held: [], onLaunching: [] };
  const hold = holder(launching, new LaunchTies(launching, podOf, namespaces));
  const held: HeldPod[] = [];
  const keep = (pod: ClusterPod) => {
    const found = hold(pod);
    if (found !== undefined) held.push({ pod, ...found });
    return found === undefined;
  };
  const free = { pending: pods.pending.filter(keep), moving: pods.moving.filter(keep) };
  return { ...free, held, onLaunching: held.flatMap(promised) };
}

type Hold = Pick<HeldPod, 'nodeClaim' | 'cause'>;

function holder(
  launching: readonly LaunchingClaim[],
  ties: LaunchTies,
): (pod: ClusterPod) => Hold | undefined {
  const claimOf = podsOnTheirWay(launching);
  const unknown = youngest(
    launching.filter(({ nodeClaim, pods }) => pods === undefined && isForPods(nodeClaim)),
  );
  return (pod) => {
    const own = claimOf.get(pod.metadata.uid);
    if (own !== undefined) return { nodeClaim: own, cause: 'launching' };
    if (unknown !== undefined && isOlder(pod, unknown)) {
      return { nodeClaim: unknown.nodeClaim.metadata.name, cause: 'possibly-launching' };
    }
    const awaited = ties.claimAwaitedBy(pod);
    return awaited === undefined ? undefined : { nodeClaim: awaited, cause: 'topology' };
  };
}

function youngest(claims: readonly LaunchingClaim[]): LaunchingClaim | undefined {
  const created = ({ nodeClaim }: LaunchingClaim) => nodeClaim.metadata.creationTimestamp;
  const unborn = claims.find((claim) => created(claim) === undefined);
  return unborn ?? [...claims].sort((a, b) => compareTimestamps(created(b) ?? '', created(a) ?? ''))[0];
}

/** A claim cannot have been made for a pod that came after it. Timestamps are whole seconds, so a tie may be either. */
function isOlder({ metadata }: ClusterPod, { nodeClaim }: LaunchingClaim): boolean {
  const claimCreated = nodeClaim.metadata.creationTimestamp;
  if (metadata.creationTimestamp === undefined || claimCreated === undefined) return true;
  return compareTimestamps(metadata.creationTimestamp, claimCreated) <= 0;
}

function promised({ pod: { metadata, spec, status }, nodeClaim, cause }: HeldPod): readonly BoundPodView[] {
  if (cause !== 'launching') return [];
  const bound = { metadata, spec, nodeName: nodeClaim };
  return [status === undefined ? bound : { ...bound, status }];
}

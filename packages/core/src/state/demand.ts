import { compareTimestamps } from '../api/index.ts';
import type { BoundPodView, PodView } from '../scheduling/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import type { Expectations } from './expecting-nodes.ts';
import { LaunchTies } from './launch-ties.ts';
import { isForPods, type LaunchingClaim, podsOnTheirWay } from './launching-claim.ts';
import type { NamespaceLabels } from './topology-terms.ts';

/** A pod that needs a node and is not planned for because of a NodeClaim under way. */
export interface HeldPod {
  readonly pod: PodView;
  readonly nodeClaim: string;
  readonly cause: HoldCause;
}

/**
 * `launching`: the claim was made for the pod. `expected`: it is launched now, and its node kept for the pod.
 * `possibly-launching`: it may have been made for it, before this process began. `topology`: where the pod may go
 * depends on where the claim's pods will be.
 */
export type HoldCause = 'launching' | 'expected' | 'possibly-launching' | 'topology';

/** Pods by how they come to need a node. */
export interface PodsInNeed {
  readonly pending: readonly ClusterPod[];
  /** On nodes that are going away. */
  readonly moving: readonly ClusterPod[];
}

export interface Demand extends PodsInNeed {
  readonly held: readonly HeldPod[];
  /** Held pods as they will be, as far as they have a claim of their own. */
  readonly promised: readonly BoundPodView[];
}

export interface LaunchSurroundings {
  readonly expectations: Expectations;
  readonly launching: readonly LaunchingClaim[];
  readonly podOf: (uid: string) => ClusterPod | undefined;
  readonly namespaces: NamespaceLabels;
}

/** Divides the pods in need into those to plan for and those that a launch under way, or its node, holds. */
export function demand(pods: PodsInNeed, surroundings: LaunchSurroundings): Demand {
  const { expectations, launching, podOf, namespaces } = surroundings;
  if (launching.length === 0 && expectations.nodes.size === 0) return { ...pods, held: [], promised: [] };
  const hold = holder(surroundings, new LaunchTies(launching, podOf, namespaces));
  const held: HeldPod[] = [];
  const keep = (pod: ClusterPod) => {
    const found = hold(pod);
    if (found !== undefined) held.push({ pod, ...found });
    return found === undefined;
  };
  const free = { pending: pods.pending.filter(keep), moving: pods.moving.filter(keep) };
  return { ...free, held, promised: held.flatMap((pod) => promised(pod, expectations)) };
}

type Hold = Pick<HeldPod, 'nodeClaim' | 'cause'>;

function holder(
  { expectations, launching }: LaunchSurroundings,
  ties: LaunchTies,
): (pod: ClusterPod) => Hold | undefined {
  const claimOf = new Map(podsOnTheirWay(launching));
  const names = new Set(launching.map(({ nodeClaim }) => nodeClaim.metadata.name));
  for (const [uid, claim] of expectations.exchanged) if (names.has(claim)) claimOf.set(uid, claim);
  const expectedBy = new Map<string, string>();
  for (const [nodeClaim, { pods }] of expectations.nodes) {
    for (const { metadata } of pods) expectedBy.set(metadata.uid, nodeClaim);
  }
  const unknown = youngest(
    launching.filter(({ nodeClaim, pods }) => pods === undefined && isForPods(nodeClaim)),
  );
  return (pod) => {
    const expected = expectedBy.get(pod.metadata.uid);
    if (expected !== undefined) return { nodeClaim: expected, cause: 'expected' };
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

/** Whether the pod has a place already, on a node that cannot take it yet. */
export function isPromised({ cause }: Pick<HeldPod, 'cause'>): boolean {
  return cause === 'launching' || cause === 'expected';
}

function promised(held: HeldPod, { nodes }: Expectations): readonly BoundPodView[] {
  if (!isPromised(held)) return [];
  const { metadata, spec, status } = held.pod;
  const nodeName = nodes.get(held.nodeClaim)?.state.view.name ?? held.nodeClaim;
  const bound = { metadata, spec, nodeName };
  return [status === undefined ? bound : { ...bound, status }];
}

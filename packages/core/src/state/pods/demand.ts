import { compareTimestamps } from '../../api/index.ts';
import type { BoundPodView, PodView } from '../../scheduling/index.ts';
import type { ClusterPod } from '../cluster-object.ts';
import { LaunchTopology } from '../launches/launch-topology.ts';
import { isForPods, type LaunchingClaim, launchingPods } from '../launches/launching-claim.ts';
import type { Expectations } from '../nodes/expecting-nodes.ts';
import type { NamespaceLabels } from './topology-terms.ts';

/** A pod that needs a node but is left out of plans because of a NodeClaim in flight. */
export interface HeldPod {
  readonly pod: PodView;
  readonly nodeClaim: string;
  readonly cause: HoldCause;
}

/**
 * - `launching`: the claim was created for the pod and is not launched yet.
 * - `expected`: the claim is launched, and its node is kept for the pod until it can be bound.
 * - `possibly-launching`: the claim may have been created for the pod before this process started.
 * - `topology`: a hard topology rule of the pod depends on where the pods of the claim will run.
 */
type HoldCause = 'launching' | 'expected' | 'possibly-launching' | 'topology';

/** Pods that need a node, by the reason. */
export interface UnplacedPods {
  readonly pending: readonly ClusterPod[];
  /** Pods of nodes marked for deletion. */
  readonly moving: readonly ClusterPod[];
}

export interface Demand extends UnplacedPods {
  readonly held: readonly HeldPod[];
  /**
   * Held pods that have a NodeClaim of their own, as bound to the node it becomes. Topology counts them
   * there.
   */
  readonly assigned: readonly BoundPodView[];
}

export interface DemandContext {
  readonly expectations: Expectations;
  readonly launching: readonly LaunchingClaim[];
  readonly podOf: (uid: string) => ClusterPod | undefined;
  readonly namespaces: NamespaceLabels;
}

/**
 * Splits the pods that need a node into those to plan for and those held by a launch in flight or by its
 * node. Planning for held pods again would launch a second node for them.
 */
export function demand(pods: UnplacedPods, context: DemandContext): Demand {
  const { expectations, launching, podOf, namespaces } = context;
  if (launching.length === 0 && expectations.nodes.size === 0) return { ...pods, held: [], assigned: [] };
  const hold = holder(context, new LaunchTopology(launching, podOf, namespaces));
  const held: HeldPod[] = [];
  const isFree = (pod: ClusterPod) => {
    const found = hold(pod);
    if (found !== undefined) held.push({ pod, ...found });
    return found === undefined;
  };
  const free = { pending: pods.pending.filter(isFree), moving: pods.moving.filter(isFree) };
  return { ...free, held, assigned: held.flatMap((pod) => assigned(pod, expectations)) };
}

type Hold = Pick<HeldPod, 'nodeClaim' | 'cause'>;

function holder(
  { expectations, launching }: DemandContext,
  topology: LaunchTopology,
): (pod: ClusterPod) => Hold | undefined {
  const claimOf = new Map(launchingPods(launching));
  const names = new Set(launching.map(({ nodeClaim }) => nodeClaim.metadata.name));
  for (const [uid, claim] of expectations.exchanged) if (names.has(claim)) claimOf.set(uid, claim);
  const expectedBy = new Map<string, string>();
  for (const [nodeClaim, { pods }] of expectations.nodes) {
    for (const { metadata } of pods) expectedBy.set(metadata.uid, nodeClaim);
  }
  // A claim without recorded pods may be for any pod that is not younger, so the youngest claim decides (ADR 0015).
  const unrecorded = youngest(
    launching.filter(({ nodeClaim, pods }) => pods === undefined && isForPods(nodeClaim)),
  );
  return (pod) => {
    const expected = expectedBy.get(pod.metadata.uid);
    if (expected !== undefined) return { nodeClaim: expected, cause: 'expected' };
    const own = claimOf.get(pod.metadata.uid);
    if (own !== undefined) return { nodeClaim: own, cause: 'launching' };
    if (unrecorded !== undefined && isOlder(pod, unrecorded)) {
      return { nodeClaim: unrecorded.nodeClaim.metadata.name, cause: 'possibly-launching' };
    }
    const awaited = topology.claimAwaitedBy(pod);
    return awaited === undefined ? undefined : { nodeClaim: awaited, cause: 'topology' };
  };
}

function youngest(claims: readonly LaunchingClaim[]): LaunchingClaim | undefined {
  const created = ({ nodeClaim }: LaunchingClaim) => nodeClaim.metadata.creationTimestamp;
  // A claim that this process has not yet seen created has no timestamp and is younger than all others.
  const uncreated = claims.find((claim) => created(claim) === undefined);
  return uncreated ?? [...claims].sort((a, b) => compareTimestamps(created(b) ?? '', created(a) ?? ''))[0];
}

/**
 * A claim cannot have been created for a younger pod. Timestamps have a resolution of one second, so equal
 * ones may be either way round and count as older.
 */
function isOlder({ metadata }: ClusterPod, { nodeClaim }: LaunchingClaim): boolean {
  const claimCreated = nodeClaim.metadata.creationTimestamp;
  if (metadata.creationTimestamp === undefined || claimCreated === undefined) return true;
  return compareTimestamps(metadata.creationTimestamp, claimCreated) <= 0;
}

/** Whether the pod already has a node that cannot take it yet. */
export function hasAssignedNode({ cause }: Pick<HeldPod, 'cause'>): boolean {
  return cause === 'launching' || cause === 'expected';
}

function assigned(held: HeldPod, { nodes }: Expectations): readonly BoundPodView[] {
  if (!hasAssignedNode(held)) return [];
  const { metadata, spec, status } = held.pod;
  const nodeName = nodes.get(held.nodeClaim)?.state.view.name ?? held.nodeClaim;
  const bound = { metadata, spec, nodeName };
  return [status === undefined ? bound : { ...bound, status }];
}

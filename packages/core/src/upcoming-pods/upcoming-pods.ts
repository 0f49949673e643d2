import { provisioningTuning } from '../api/index.ts';
import { passedOverCause } from '../pending-pods/index.ts';
import { type PodView, type UpcomingOwner, upcomingOwner, upcomingUid } from '../scheduling/index.ts';
import { type ClusterPod, type ClusterSnapshot, launchingPods } from '../state/index.ts';
import { controllerReference } from '../values/index.ts';
import { arrivalOf, missingPods, type WorkloadView } from './missing-pods.ts';

/** Looks up workloads and their pods. */
export interface WorkloadSource {
  /** Undefined if there is none, or another one of the same name. */
  readonly workload: (owner: UpcomingOwner) => WorkloadView | undefined;
  /** All pods that the workload with this uid controls, in any phase. */
  readonly podsOf: (uid: string) => readonly ClusterPod[];
}

type Cluster = Pick<ClusterSnapshot, 'at' | 'pendingPods' | 'heldPods' | 'launching'>;

const { maxUpcomingPods, maxUpcomingPodsPerOwner } = provisioningTuning;

/**
 * The pods that workloads with waiting pods are about to create, as copies of their newest waiting pod. Left
 * out are those for which a NodeClaim is launching already.
 */
export function upcomingPods(cluster: Cluster, source: WorkloadSource): readonly PodView[] {
  const launching = launchingByOwner(cluster);
  const upcoming: PodView[] = [];
  for (const owner of ownersOf(cluster)) {
    const room = Math.min(maxUpcomingPodsPerOwner, maxUpcomingPods - upcoming.length);
    const known = launching.get(owner.uid) ?? noPods;
    upcoming.push(...upcomingOf(owner, { at: cluster.at, source, launching: known, room }));
  }
  return upcoming;
}

interface UpcomingOptions {
  readonly at: number;
  readonly source: WorkloadSource;
  /** Uids of its upcoming pods that NodeClaims are launching for. */
  readonly launching: ReadonlySet<string>;
  readonly room: number;
}

function upcomingOf(
  owner: UpcomingOwner,
  { at, source, launching, room }: UpcomingOptions,
): readonly PodView[] {
  const workload = source.workload(owner);
  if (workload === undefined) return [];
  const pods = source.podsOf(owner.uid);
  const count = Math.min(room, missingPods(workload, pods, at) - launching.size);
  const template = count > 0 ? newest(pods.filter(canBeCopied)) : undefined;
  if (template === undefined) return [];
  const copies: PodView[] = [];
  for (let number = 1; copies.length < count; number += 1) {
    const uid = upcomingUid(owner, number);
    if (!launching.has(uid)) copies.push(copyOf(template, `${owner.name}-upcoming-${number}`, uid));
  }
  return copies;
}

const noPods: ReadonlySet<string> = new Set();

function launchingByOwner({ launching }: Cluster): ReadonlyMap<string, ReadonlySet<string>> {
  const byOwner = new Map<string, Set<string>>();
  for (const uid of launchingPods(launching).keys()) {
    const owner = upcomingOwner(uid);
    if (owner === undefined) continue;
    byOwner.set(owner.uid, (byOwner.get(owner.uid) ?? new Set()).add(uid));
  }
  return byOwner;
}

/** The ReplicaSets and Jobs of pods that wait for a node. */
function ownersOf({ pendingPods, heldPods }: Cluster): Iterable<UpcomingOwner> {
  const owners = new Map<string, UpcomingOwner>();
  for (const { metadata } of [...pendingPods, ...heldPods.map(({ pod }) => pod)]) {
    const owner = ownerOf(metadata);
    if (owner !== undefined) owners.set(owner.uid, owner);
  }
  return owners.values();
}

/** The ReplicaSet or Job that controls a pod. */
export function ownerOf(metadata: PodView['metadata']): UpcomingOwner | undefined {
  const { kind, apiVersion, name, uid } = controllerReference(metadata) ?? {};
  const isKnown =
    (kind === 'ReplicaSet' && apiVersion === 'apps/v1') || (kind === 'Job' && apiVersion === 'batch/v1');
  if (!isKnown || name === undefined || uid === undefined) return undefined;
  return { kind, namespace: metadata.namespace, name, uid };
}

/** Claims of ephemeral volumes and devices are made for each pod, so a copy would have none. */
function canBeCopied(pod: ClusterPod): boolean {
  const { volumes = [], resourceClaims } = pod.spec;
  const hasOwnClaims =
    resourceClaims !== undefined || volumes.some(({ ephemeral }) => ephemeral !== undefined);
  return passedOverCause(pod) === undefined && !hasOwnClaims;
}

function newest(pods: readonly ClusterPod[]): ClusterPod | undefined {
  let found: ClusterPod | undefined;
  for (const pod of pods) if (found === undefined || arrivalOf(pod) > arrivalOf(found)) found = pod;
  return found;
}

const unschedulable = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };

/** Shares spec and labels with the pod, by which the planner recognises equal pods without comparing them. */
function copyOf({ metadata, spec }: ClusterPod, name: string, uid: string): PodView {
  return { metadata: { ...metadata, name, uid }, spec, status: unschedulable };
}

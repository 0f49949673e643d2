import { provisioningTuning } from '../api/index.ts';
import { passedOverCause } from '../pending-pods/index.ts';
import { type PodView, type UpcomingOwner, upcomingOwner, upcomingUid } from '../scheduling/index.ts';
import { type ClusterPod, type ClusterSnapshot, launchingPods } from '../state/index.ts';
import { controllerReference } from '../values/index.ts';
import { arrivalOf, isUntried, missingPods, type PodTemplate, type WorkloadView } from './missing-pods.ts';

/** Looks up workloads and their pods. */
export interface WorkloadSource {
  /** Undefined if there is none, or another one of the same name. */
  readonly workload: (owner: UpcomingOwner) => WorkloadView | undefined;
  /** All pods that the workload with this uid controls, in any phase. */
  readonly podsOf: (uid: string) => readonly ClusterPod[];
  /** ReplicaSets that were created at this time or later. */
  readonly newReplicaSets: (since: number) => Iterable<UpcomingOwner>;
}

type Cluster = Pick<ClusterSnapshot, 'at' | 'pendingPods' | 'heldPods' | 'launching'>;

const { maxUpcomingPods, maxUpcomingPodsPerOwner, newWorkloadWindow } = provisioningTuning;

/**
 * The pods that workloads are about to create: those with waiting pods, as copies of the newest one, and new ReplicaSets
 * that the controller manager has not come to, by their template. Left out are those for which a NodeClaim is launching
 * already. None while no pod waits, because upcoming pods only fill the nodes of others.
 */
export function upcomingPods(cluster: Cluster, source: WorkloadSource): readonly PodView[] {
  const launching = launchingByOwner(cluster);
  const upcoming: PodView[] = [];
  for (const owner of ownersOf(cluster, source)) {
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
  const template =
    count > 0 ? (newest(pods.filter(canBeCopied)) ?? podOfTemplate(owner, workload)) : undefined;
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

/** The ReplicaSets and Jobs of pods that wait for a node, then new ReplicaSets, of which perhaps no pod waits yet. */
function ownersOf({ at, pendingPods, heldPods }: Cluster, source: WorkloadSource): Iterable<UpcomingOwner> {
  const waiting = [...pendingPods, ...heldPods.map(({ pod }) => pod)];
  if (waiting.length === 0) return [];
  const owners = new Map<string, UpcomingOwner>();
  for (const { metadata } of waiting) {
    const owner = ownerOf(metadata);
    if (owner !== undefined) owners.set(owner.uid, owner);
  }
  for (const owner of source.newReplicaSets(at - newWorkloadWindow))
    if (!owners.has(owner.uid)) owners.set(owner.uid, owner);
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

/** Pods that kube-scheduler has not tried are like those that wait: their workload creates more of them. */
function canBeCopied(pod: ClusterPod): boolean {
  return (passedOverCause(pod) === undefined || isUntried(pod)) && !hasOwnClaims(pod.spec);
}

/** Claims of ephemeral volumes and devices are made for each pod, so a copy would have none. */
function hasOwnClaims({ volumes = [], resourceClaims }: PodView['spec']): boolean {
  return resourceClaims !== undefined || volumes.some(({ ephemeral }) => ephemeral !== undefined);
}

/** As the API server would create it, but for what admission plugins and webhooks change. */
function podOfTemplate(owner: UpcomingOwner, { spec }: WorkloadView): PodView | undefined {
  const { template } = spec ?? {};
  if (template === undefined || !isSchedulable(template) || hasOwnClaims(template.spec)) return undefined;
  const { kind, namespace, name, uid } = owner;
  const ownerReferences = [{ apiVersion: 'apps/v1', kind, name, uid, controller: true }];
  return { metadata: { ...template.metadata, name, namespace, uid, ownerReferences }, spec: template.spec };
}

/** kube-scheduler does not try pods with scheduling gates, nor those that name their node. */
function isSchedulable({ spec: { nodeName = '', schedulingGates = [] } }: PodTemplate): boolean {
  return nodeName === '' && schedulingGates.length === 0;
}

function newest(pods: readonly ClusterPod[]): ClusterPod | undefined {
  let found: ClusterPod | undefined;
  for (const pod of pods) if (found === undefined || arrivalOf(pod) > arrivalOf(found)) found = pod;
  return found;
}

const unschedulable = { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };

/** Shares spec and labels with the pod, by which the planner recognises equal pods without comparing them. */
function copyOf({ metadata, spec }: PodView, name: string, uid: string): PodView {
  return { metadata: { ...metadata, name, uid }, spec, status: unschedulable };
}

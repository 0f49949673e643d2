import { type CoreSettings, timestampMs } from '@karpenter/core/api';
import type { PodView, UpcomingOwner } from '@karpenter/core/scheduling';
import type { ClusterPod, ClusterSnapshot } from '@karpenter/core/state';
import { upcomingPods, type WorkloadSource, type WorkloadView } from '@karpenter/core/upcoming-pods';
import { controllerReference } from '@karpenter/core/values';
import type { ObjectCaches, WatchCache } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { shapedAs, stateSources } from '../cluster/index.ts';

// The fields that decide how many pods are upcoming. The API server has validated the objects.
type CachedWorkload = KubeObject & Pick<WorkloadView, 'spec' | 'status'>;
const replicaSets: Kind<CachedWorkload> = shapedAs(kinds.replicaSet);
const jobs: Kind<CachedWorkload> = shapedAs(kinds.job);

/** The workloads whose missing pods are upcoming (ADR 0068). */
export const upcomingKinds: readonly Kind[] = [replicaSets, jobs];

const controllerIndex = 'controllerUid';
const controllerUids = ({ metadata }: ClusterPod) => {
  const { uid } = controllerReference(metadata) ?? {};
  return uid === undefined ? [] : [uid];
};

/** The pod cache with an index by controller. An index added before the first list is built as its pods arrive. */
export function podsByController(caches: ObjectCaches): WatchCache<ClusterPod & KubeObject> {
  return caches.of(stateSources.Pod, { [controllerIndex]: controllerUids });
}

/** The pods that ReplicaSets and Jobs of the watch caches are about to create. */
export function upcomingPodsOf(caches: ObjectCaches, cluster: ClusterSnapshot): readonly PodView[] {
  const pods = podsByController(caches);
  const source: WorkloadSource = {
    workload: (owner) => workloadOf(caches, owner),
    podsOf: (uid) => pods.byIndex(controllerIndex, uid),
    newReplicaSets: (since) => newReplicaSets(caches, since),
  };
  return upcomingPods(cluster, source);
}

function workloadOf(
  caches: ObjectCaches,
  { kind, namespace, name, uid }: UpcomingOwner,
): WorkloadView | undefined {
  const found = caches.of(kind === 'Job' ? jobs : replicaSets).get({ namespace, name });
  // Another workload with the same name creates no pods of this one.
  if (found?.metadata?.uid !== uid) return undefined;
  const { metadata, spec, status } = found;
  const { creationTimestamp, deletionTimestamp } = metadata;
  return {
    kind: kind === 'Job' ? 'Job' : 'ReplicaSet',
    metadata: {
      uid,
      ...(creationTimestamp != null && { creationTimestamp }),
      ...(deletionTimestamp != null && { deletionTimestamp }),
    },
    ...(spec !== undefined && { spec }),
    ...(status !== undefined && { status }),
  };
}

function* newReplicaSets(caches: ObjectCaches, since: number): Iterable<UpcomingOwner> {
  for (const { metadata } of caches.of(replicaSets).list()) {
    const { name = '', namespace = '', uid = '', creationTimestamp } = metadata ?? {};
    const created = timestampMs(creationTimestamp);
    if (created !== undefined && created >= since) yield { kind: 'ReplicaSet', namespace, name, uid };
  }
}

/** Whether a ReplicaSet that is to have pods has reported none. */
function isWithoutPods({ spec, status }: StoredWorkload): boolean {
  return spec?.['replicas'] !== 0 && (status?.['replicas'] ?? 0) === 0;
}

/** What a cache stores of an object of a kind. */
export type TrimOf = (kind: Kind) => ((object: KubeObject) => KubeObject) | undefined;

/**
 * Leaves out what no plan reads of ReplicaSets and Jobs. A cluster has up to eleven ReplicaSets for each
 * Deployment, most of them empty, and their pod templates would take most of the memory; a plan reads only those of
 * ReplicaSets that are about to create their first pods. CapacityBuffers may refer to the template of a ReplicaSet, so
 * with that feature gate ReplicaSets are not trimmed.
 */
export function workloadTrim({ featureGates }: Pick<CoreSettings, 'featureGates'>): TrimOf {
  return ({ group, kind }) => {
    if (group === jobs.group && kind === jobs.kind) return (object) => trimmed(object, specFields);
    const isReplicaSet = group === replicaSets.group && kind === replicaSets.kind;
    return isReplicaSet && !featureGates.CapacityBuffer ? trimmedReplicaSet : undefined;
  };
}

interface StoredWorkload extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

const specFields = ['replicas', 'selector', 'parallelism', 'completions', 'suspend'] as const;
const statusFields = ['replicas', 'succeeded', 'conditions'] as const;
const metadataFields = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
] as const;

function trimmedReplicaSet(object: StoredWorkload): KubeObject {
  return trimmed(object, isWithoutPods(object) ? [...specFields, 'template'] : specFields);
}

function trimmed(
  { apiVersion, kind, metadata, spec, status }: StoredWorkload,
  fields: readonly string[],
): KubeObject {
  return {
    ...(apiVersion !== undefined && { apiVersion }),
    ...(kind !== undefined && { kind }),
    metadata: picked(metadata ?? {}, metadataFields),
    ...(spec !== undefined && { spec: picked(spec, fields) }),
    ...(status !== undefined && { status: picked(status, statusFields) }),
  } as KubeObject;
}

function picked(object: object, fields: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([field]) => fields.includes(field)));
}

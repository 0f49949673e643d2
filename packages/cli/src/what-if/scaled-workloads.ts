import { stateSources } from '@karpenter/controllers/cluster';
import { type ClusterPod, isActive } from '@karpenter/core/state';
import { controllerReference } from '@karpenter/core/values';
import type { KindList } from '@karpenter/kube/cache';
import { type ExpandedWorkload, manifestText, type StoredObjects } from '../simulate/index.ts';
import type { ObjectLists } from './object-lists.ts';

/** Workloads of files together with the pods that they have in the cluster. */
export interface ScaledWorkloads {
  readonly notes: readonly string[];
  /** The list without pods that exist already. */
  readonly added: (list: KindList) => KindList;
  /** The cluster without pods that are too many. */
  readonly live: (lists: ObjectLists) => ObjectLists;
}

interface Scaling {
  readonly workload: ExpandedWorkload;
  readonly existing: readonly ClusterPod[];
  readonly created: readonly ClusterPod[];
  readonly deleted: readonly ClusterPod[];
}

/**
 * Applying a workload that exists changes the number of its pods: those that run stay where they are and as they are,
 * only missing ones are created and surplus ones deleted.
 */
export function scaledWorkloads({ workloads }: StoredObjects, pods: readonly ClusterPod[]): ScaledWorkloads {
  const scalings = workloads.map((workload) => scalingOf(workload, pods));
  const created = new Set(scalings.flatMap((scaling) => uidsOf(scaling.created)));
  const expanded = new Set(workloads.flatMap((workload) => uidsOf(workload.pods)));
  const deleted = new Set(scalings.flatMap((scaling) => uidsOf(scaling.deleted)));
  return {
    notes: scalings.filter(({ existing }) => existing.length > 0).map(noteOf),
    added: ({ kind, objects }) => ({
      kind,
      objects: objects.filter(
        ({ metadata }) => !expanded.has(metadata?.uid ?? '') || created.has(metadata?.uid ?? ''),
      ),
    }),
    live: (lists) => lists.filter(stateSources.Pod, ({ metadata }) => !deleted.has(metadata.uid)),
  };
}

function uidsOf(pods: readonly ClusterPod[]): readonly string[] {
  return pods.map(({ metadata }) => metadata.uid);
}

function scalingOf(workload: ExpandedWorkload, pods: readonly ClusterPod[]): Scaling {
  const existing = pods.filter((pod) => isActive(pod) && isPodOf(pod, workload));
  if (workload.manifest.kind === 'StatefulSet')
    return { workload, existing, ...byName(workload.pods, existing) };
  const isBound = ({ spec }: ClusterPod) => Number((spec.nodeName ?? '') !== '');
  const surplus = Math.max(0, existing.length - workload.pods.length);
  return {
    workload,
    existing,
    created: workload.pods.slice(existing.length),
    // As the ReplicaSet controller does, pods without a node first.
    deleted: existing.toSorted((a, b) => isBound(a) - isBound(b)).slice(0, surplus),
  };
}

/** The pods of a StatefulSet are known by their names. */
function byName(wanted: readonly ClusterPod[], existing: readonly ClusterPod[]) {
  const names = (pods: readonly ClusterPod[]) => new Set(pods.map(({ metadata }) => metadata.name));
  const [wantedNames, existingNames] = [names(wanted), names(existing)];
  return {
    created: wanted.filter(({ metadata }) => !existingNames.has(metadata.name)),
    deleted: existing.filter(({ metadata }) => !wantedNames.has(metadata.name)),
  };
}

function isPodOf({ metadata }: ClusterPod, { manifest }: ExpandedWorkload): boolean {
  const owner = controllerReference(metadata);
  if (owner === undefined || metadata.namespace !== manifest.namespace) return false;
  if (manifest.kind !== 'Deployment') return owner.kind === manifest.kind && owner.name === manifest.name;
  // A ReplicaSet of a Deployment has the Deployment's name and the hash that its pods carry as a label.
  const hash = metadata.labels?.['pod-template-hash'];
  return owner.kind === 'ReplicaSet' && hash !== undefined && owner.name === `${manifest.name}-${hash}`;
}

function noteOf({ workload, existing, created, deleted }: Scaling): string {
  const pods = existing.length === 1 ? 'one pod' : `${existing.length} pods`;
  const changes = [
    ...(deleted.length > 0 ? [`${deleted.length} of them ${isOrAre(deleted)} deleted`] : []),
    ...(created.length > 0 ? [`${created.length} ${isOrAre(created)} added`] : []),
  ];
  const change = changes.join(' and ') || 'their number does not change';
  return `${manifestText(workload.manifest)} exists with ${pods}, which keep their spec and node; ${change}`;
}

function isOrAre(pods: readonly unknown[]): string {
  return pods.length === 1 ? 'is' : 'are';
}

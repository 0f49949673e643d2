import type { BufferResolution } from '@karpenter/core/capacity-buffers';
import { withDefaultSpread } from '@karpenter/core/default-spread';
import type { BoundPodView, NodeView, PodView, StorageView } from '@karpenter/core/scheduling';
import { boundPodView, podView } from '../cluster/pod-view.ts';
import { controllerOf } from '../input/objects.ts';
import type { Choices, IgnoredPod } from '../simulation.ts';
import { resolvedBuffers } from './buffers.ts';
import { type ClusterPod, isMoving, reasonToPassOver } from './cluster-pods.ts';
import { clusterStorage, hasClaims } from './cluster-storage.ts';
import { manifestsByKind } from './inventory.ts';
import { judgedPods } from './judged-pods.ts';
import { workloadKinds } from './kinds.ts';
import { manifestText, metadataOf, type NamedManifest } from './manifest.ts';
import { spreadSources } from './spread-sources.ts';
import { type Expansion, workloadPods } from './workload-pods.ts';

/** What the cluster is to make room for, and what already has its place. */
export interface Demand {
  readonly boundPods: readonly BoundPodView[];
  readonly pods: readonly PodView[];
  readonly ignored: readonly IgnoredPod[];
  readonly buffers: readonly BufferResolution[];
  readonly storage: StorageView | undefined;
}

/** Everything that pods come from: those of the cluster, its workloads, its buffers. */
export interface PodSources {
  readonly manifests: readonly NamedManifest[];
  readonly pods: readonly ClusterPod[];
  readonly nodes: readonly NodeView[];
}

export function clusterDemand(
  { manifests, pods, nodes }: PodSources,
  { defaultConstraints }: Choices,
  note: (text: string) => void,
): Demand {
  const ofKind = manifestsByKind(manifests);
  const { boundPods, moving, pending } = divide(pods, nodes, note);
  const expanded = expandedWorkloads(manifests);
  const buffers = resolvedBuffers(ofKind);
  const waiting = [...pending, ...expanded.pods];
  const storage = clusterStorage(ofKind, waiting, expanded.claims);
  noteUnknownStorage(storage, waiting, note);
  const virtual = buffers.flatMap((buffer) => buffer.pods);
  const judged = judgedPods({ moving, waiting: [...waiting, ...virtual] }, storage);
  return {
    boundPods,
    pods: withDefaultSpread(judged.pods, defaultConstraints, spreadSources(ofKind)),
    ignored: judged.ignored,
    buffers,
    storage,
  };
}

function noteUnknownStorage(
  storage: StorageView | undefined,
  pods: readonly PodView[],
  note: (text: string) => void,
): void {
  if (storage !== undefined || !pods.some(hasClaims)) return;
  note(
    'there is no PersistentVolumeClaim, PersistentVolume or StorageClass among the manifests, so volumes may be anywhere',
  );
}

interface Division {
  readonly boundPods: readonly BoundPodView[];
  /** Of nodes that are going away. */
  readonly moving: readonly PodView[];
  readonly pending: readonly PodView[];
}

/** Pods on nodes that stay are bound; those of nodes that are going away look for a place again. */
function divide(
  pods: readonly ClusterPod[],
  nodes: readonly NodeView[],
  note: (text: string) => void,
): Division {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const on = ({ pod }: ClusterPod) => byName.get(pod.spec.nodeName ?? '');
  const [bound, unbound] = parted(pods, ({ pod }) => (pod.spec.nodeName ?? '') !== '');
  const [known, strays] = parted(bound, (found) => on(found) !== undefined);
  const [leaving, staying] = parted(known, (found) => on(found)?.deleting === true);
  noteLeftOut(strays, 'on nodes that are not among the manifests', note);
  const nominated = unbound.filter((found) => reasonToPassOver(found) === 'nominated');
  noteLeftOut(nominated, 'waiting for a node that is being cleared', note);
  return {
    boundPods: staying.map(({ pod, identity }) => boundPodView(pod, identity, pod.spec.nodeName ?? '')),
    moving: leaving.filter(isMoving).map(({ pod, identity }) => podView(pod, identity)),
    pending: unbound
      .filter((found) => reasonToPassOver(found) === undefined)
      .map(({ pod, identity }) => podView(pod, identity)),
  };
}

function parted<T>(list: readonly T[], isFirst: (item: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [list.filter(isFirst), list.filter((item) => !isFirst(item))];
}

function noteLeftOut(pods: readonly ClusterPod[], where: string, note: (text: string) => void): void {
  if (pods.length === 0) return;
  note(`${pods.length === 1 ? 'one pod is' : `${pods.length} pods are`} ${where}, and left out`);
}

/** Workloads whose own pods or ReplicaSets are in the input stand there already. */
function expandedWorkloads(manifests: readonly NamedManifest[]): Expansion {
  const owners = new Set(manifests.flatMap(ownerKey));
  const expansions = manifests
    .filter((manifest) => workloadKinds.has(manifest.kind) && !owners.has(manifestText(manifest)))
    .map(workloadPods);
  return {
    pods: expansions.flatMap(({ pods }) => pods),
    claims: expansions.flatMap(({ claims }) => claims),
  };
}

function ownerKey(manifest: NamedManifest): readonly string[] {
  const { namespace } = manifest;
  const owner = controllerOf(metadataOf(manifest));
  return owner === undefined ? [] : [manifestText({ kind: owner.kind, namespace, name: owner.name })];
}

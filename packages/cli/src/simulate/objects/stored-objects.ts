import {
  capacityBuffers,
  nodeOverlays,
  nodePools,
  shapedAs,
  stateSources,
} from '@karpenter/controllers/cluster';
import type { StateObjects } from '@karpenter/core/state';
import type { KindList } from '@karpenter/kube/cache';
import { type Kind, type KubeObject, kinds } from '@karpenter/kube/client';
import { csiNodeShape, disruptionBudgetShape } from '../input/companion-shapes.ts';
import { readShape } from '../input/shape.ts';
import { admittedCapacityBuffer, admittedNodeOverlay, admittedNodePool } from './admitted-object.ts';
import { type ManifestsOfKind, manifestsByKind } from './inventory.ts';
import { manifestText, metadataOf, type NamedManifest } from './manifest.ts';
import { withDefaultReadiness } from './node-pools.ts';
import { nodeObjects } from './nodes.ts';
import { storedPod } from './pods.ts';
import { describesStorage, hasClaims, storageObjects } from './storage.ts';
import { daemonSet, podTemplate, selectingObjects, workloadObjects } from './workload-objects.ts';
import { type ExpandedWorkload, expandedWorkloads } from './workload-pods.ts';

export interface StoredObjects {
  readonly lists: readonly KindList[];
  /** The workloads that were expanded, with the pods that are in `lists`. */
  readonly workloads: readonly ExpandedWorkload[];
  /** False when the manifests have no storage objects; volumes then restrict no pod to a zone. */
  readonly hasStorage: boolean;
  /** Assumptions that change the plan, for the user. */
  readonly notes: readonly string[];
}

/**
 * The objects that a cluster would hold after the manifests are applied, including what its controllers create: pods
 * of workloads, volume claims and namespaces.
 */
export function storedObjects(manifests: readonly NamedManifest[], now: number): StoredObjects {
  const ofKind = manifestsByKind(manifests);
  const expanded = expandedWorkloads(manifests);
  const pods = [...ofKind('Pod').map(storedPod), ...expanded.pods];
  const nodes = nodeObjects(ofKind);
  const pools = ofKind('NodePool').map(({ object, origin }) =>
    withDefaultReadiness(admittedNodePool(object, origin), now),
  );
  const hasStorage = describesStorage(ofKind);
  return {
    lists: [
      list(stateSources.Pod, pods),
      list(stateSources.Node, nodes.nodes),
      list(stateSources.NodeClaim, nodes.nodeClaims),
      list(nodePools, pools),
      ...storageLists(ofKind, pods, expanded.claims),
      ...companionLists(ofKind, pods),
      ...workloadLists(ofKind),
    ],
    workloads: expanded.workloads,
    hasStorage,
    notes: [
      ...(pools.length === 0 ? ['there is no NodePool among the manifests, so no node can be made'] : []),
      ...podNotes(pods, nodes.nodes),
      ...(hasStorage || !pods.some(hasClaims) ? [] : [unknownStorage]),
    ],
  };
}

const unknownStorage =
  'there is no PersistentVolumeClaim, PersistentVolume or StorageClass among the manifests, so volumes may be anywhere';

/** The cast is safe: the caches hand the objects out under the same kind, which fixes their type. */
function list<T>(kind: { readonly objects?: T } & Omit<Kind, 'objects'>, objects: readonly T[]): KindList {
  return { kind, objects } as unknown as KindList;
}

type Pods = readonly StateObjects['Pod'][];

function storageLists(
  ofKind: ManifestsOfKind,
  pods: Pods,
  made: readonly StateObjects['PersistentVolumeClaim'][],
): readonly KindList[] {
  const { claims, volumes, classes } = storageObjects(ofKind, pods, made);
  return [
    list(stateSources.PersistentVolumeClaim, claims),
    list(stateSources.PersistentVolume, volumes),
    list(stateSources.StorageClass, classes),
    list(
      stateSources.CSINode,
      ofKind('CSINode').map((manifest) => read<StateObjects['CSINode']>(manifest, csiNodeShape)),
    ),
  ];
}

function companionLists(ofKind: ManifestsOfKind, pods: Pods): readonly KindList[] {
  return [
    list(stateSources.Namespace, namespaces(ofKind, pods)),
    list(
      stateSources.PodDisruptionBudget,
      ofKind('PodDisruptionBudget').map((manifest) =>
        read<StateObjects['PodDisruptionBudget']>(manifest, disruptionBudgetShape),
      ),
    ),
    list(
      nodeOverlays,
      ofKind('NodeOverlay').map(({ object, origin }) => admittedNodeOverlay(object, origin)),
    ),
    list(
      capacityBuffers,
      ofKind('CapacityBuffer').map(({ name, namespace, object, origin }) => {
        const buffer = admittedCapacityBuffer(object, origin);
        return { ...buffer, metadata: { ...buffer.metadata, name, namespace } };
      }),
    ),
  ];
}

/**
 * The objects that buffers and default spread constraints refer to. Each Deployment also counts as the ReplicaSet of
 * its name, because expanded pods name that ReplicaSet as their owner.
 */
function workloadLists(ofKind: ManifestsOfKind): readonly KindList[] {
  const deployments = ofKind('Deployment').map(workloadObjects);
  return [
    list(stateSources.DaemonSet, ofKind('DaemonSet').map(daemonSet)),
    list(shapedAs(kinds.podTemplate), ofKind('PodTemplate').map(podTemplate)),
    list(shapedAs(kinds.deployment), deployments),
    list(shapedAs(kinds.replicaSet), [...deployments, ...ofKind('ReplicaSet').map(workloadObjects)]),
    list(shapedAs(kinds.statefulSet), ofKind('StatefulSet').map(workloadObjects)),
    list(shapedAs(kinds.service), ofKind('Service').map(selectingObjects)),
    list(shapedAs(kinds.replicationController), ofKind('ReplicationController').map(selectingObjects)),
  ];
}

/** The validated object with its final name and namespace. */
function read<T extends KubeObject>(manifest: NamedManifest, schema: Parameters<typeof readShape>[0]): T {
  const { name, namespace, object, origin } = manifest;
  const found = readShape<T>(schema, object, { origin, subject: manifestText(manifest) });
  return { ...found, metadata: { ...found.metadata, name, namespace } };
}

/** The namespaces of the manifests and those that pods refer to: in a real cluster these must exist. */
function namespaces(ofKind: ManifestsOfKind, pods: Pods): readonly StateObjects['Namespace'][] {
  const written = new Map(
    ofKind('Namespace').map((manifest) => [manifest.name, metadataOf(manifest).labels] as const),
  );
  const names = new Set([...written.keys(), ...pods.map(({ metadata }) => metadata.namespace)]);
  return [...names].sort().map((name) => {
    const labels = written.get(name);
    return { metadata: { name, ...(labels !== undefined && { labels }) } };
  });
}

/** Notes on pods that the plan leaves out: bound to unknown nodes, or nominated by a preemption. */
function podNotes(pods: Pods, nodes: readonly StateObjects['Node'][]): readonly string[] {
  const known = new Set(nodes.map(({ metadata }) => metadata.name));
  const isStray = ({ spec }: Pods[number]) => (spec.nodeName ?? '') !== '' && !known.has(spec.nodeName ?? '');
  const isNominated = ({ spec, status }: Pods[number]) =>
    (spec.nodeName ?? '') === '' && (status?.nominatedNodeName ?? '') !== '';
  return [
    ...omittedNote(pods.filter(isStray).length, 'on nodes that are not among the manifests'),
    ...omittedNote(pods.filter(isNominated).length, 'waiting for a node that is being cleared'),
  ];
}

function omittedNote(count: number, where: string): readonly string[] {
  if (count === 0) return [];
  return [`${count === 1 ? 'one pod is' : `${count} pods are`} ${where}, and left out`];
}

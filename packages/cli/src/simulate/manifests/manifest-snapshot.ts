import { awsLabelPolicy } from '@karpenter/aws';
import type { NodePool } from '@karpenter/core/api';
import { withDefaultSpread } from '@karpenter/core/default-spread';
import { applyOverlays, type OverlayOutcome } from '@karpenter/core/node-overlays';
import { usesDynamicResources } from '@karpenter/core/pending-pods';
import { requirementPolicy } from '@karpenter/core/requirements';
import type { BoundPodView, NodeView, PodView, Snapshot, StorageView } from '@karpenter/core/scheduling';
import type { Labels } from '@karpenter/core/values';
import { admittedNodeOverlay, admittedNodePool } from '../cluster/admitted-object.ts';
import { namespaceLabels } from '../cluster/namespace-labels.ts';
import { boundPodView, podView } from '../cluster/pod-view.ts';
import { controllerOf, type WrittenMetadata } from '../input/objects.ts';
import { metadataShape } from '../input/pod-shape.ts';
import { readShape, shape } from '../input/shape.ts';
import type { Choices, Findings, SimulationPorts } from '../simulation.ts';
import { resolvedBuffers } from './buffers.ts';
import { clusterNodes } from './cluster-nodes.ts';
import { type ClusterPod, clusterPod, isActive, isMoving, reasonToPassOver } from './cluster-pods.ts';
import { clusterStorage, hasClaims } from './cluster-storage.ts';
import { type Inventory, type ManifestsOfKind, manifestsByKind } from './inventory.ts';
import { judgedPods } from './judged-pods.ts';
import { workloadKinds } from './kinds.ts';
import { manifestText, type NamedManifest } from './manifest.ts';
import { spreadSources } from './spread-sources.ts';
import { daemonPod, type Expansion, workloadPods } from './workload-pods.ts';

export type ManifestPorts = Pick<SimulationPorts, 'clock' | 'instanceTypes' | 'note'>;

export interface ManifestCluster {
  readonly snapshot: Snapshot;
  readonly findings: Findings;
}

/** The cluster that the manifests describe: what runs on its nodes, and what is yet to be placed. */
export function manifestCluster(
  { manifests }: Inventory,
  { defaultConstraints }: Choices,
  ports: ManifestPorts,
): ManifestCluster {
  const ofKind = manifestsByKind(manifests);
  const nodePools = ofKind('NodePool').map(({ object, origin }) => admittedNodePool(object, origin));
  if (nodePools.length === 0) ports.note('there is no NodePool among the manifests, so no node can be made');
  const overlaid = overlaidTypes(ofKind, nodePools, ports);
  const pods = ofKind('Pod').map(clusterPod).filter(isActive);
  const nodes = clusterNodes(
    ofKind,
    pods.map(({ pod }) => pod),
    ports.note,
  );
  const { boundPods, moving, pending } = divide(pods, nodes, ports.note);
  const expanded = expandedWorkloads(manifests);
  const buffers = resolvedBuffers(ofKind);
  const waiting = [...pending, ...expanded.pods];
  const storage = clusterStorage(ofKind, waiting, expanded.claims);
  noteUnknownStorage(storage, waiting, ports.note);
  const virtual = buffers.flatMap((buffer) => buffer.pods);
  const judged = judgedPods({ moving, waiting: [...waiting, ...virtual] }, storage);
  const toPlace = withDefaultSpread(judged.pods, defaultConstraints, spreadSources(ofKind));
  return {
    snapshot: {
      at: ports.clock.now(),
      revision: 0,
      nodePools,
      instanceTypes: overlaid.instanceTypes,
      nodes,
      pods: toPlace,
      boundPods,
      daemonPods: ofKind('DaemonSet')
        .map(daemonPod)
        .filter(({ spec }) => !usesDynamicResources(spec)),
      namespaces: namespaceLabels([...toPlace, ...boundPods], writtenNamespaces(ofKind('Namespace'))),
      ...(storage !== undefined && { storage }),
    },
    findings: {
      ignored: judged.ignored,
      overlays: overlaid.verdicts,
      buffers: buffers.map(({ pods: _, ...found }) => found),
    },
  };
}

/** What the cloud offers each pool, once overlays have had their say. */
function overlaidTypes(
  ofKind: ManifestsOfKind,
  nodePools: readonly NodePool[],
  ports: ManifestPorts,
): OverlayOutcome {
  const types = nodePools.length === 0 ? [] : ports.instanceTypes();
  return applyOverlays({
    nodePools,
    instanceTypes: new Map(nodePools.map(({ metadata }) => [metadata.name, types])),
    overlays: ofKind('NodeOverlay').map(({ object, origin }) => admittedNodeOverlay(object, origin)),
    policy: requirementPolicy(awsLabelPolicy),
  });
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
  const { object, namespace, origin } = manifest;
  const { metadata } = readShape<Described>(described, object, origin, manifestText(manifest));
  const owner = controllerOf(metadata);
  return owner === undefined ? [] : [manifestText({ kind: owner.kind, namespace, name: owner.name })];
}

interface Described {
  readonly metadata?: WrittenMetadata;
}

const described = shape({ metadata: metadataShape });

function writtenNamespaces(namespaces: readonly NamedManifest[]): ReadonlyMap<string, Labels> {
  return new Map(
    namespaces.map((manifest) => {
      const { name, object, origin } = manifest;
      const { metadata } = readShape<Described>(described, object, origin, manifestText(manifest));
      return [name, metadata?.labels ?? {}];
    }),
  );
}

import type { BoundPodView, NodeView, PodView, Snapshot } from '@karpenter/core/scheduling';
import type { Labels } from '@karpenter/core/values';
import { admittedNodePool } from '../cluster/admitted-node-pool.ts';
import { namespaceLabels } from '../cluster/namespace-labels.ts';
import { nodeView } from '../cluster/node-view.ts';
import { boundPodView, podView } from '../cluster/pod-view.ts';
import { podsByNode } from '../cluster/pods-by-node.ts';
import { controllerOf, type WrittenMetadata, type WrittenNode } from '../input/objects.ts';
import { at } from '../input/origin.ts';
import { metadataShape, nodeShape } from '../input/pod-shape.ts';
import { readShape, shape } from '../input/shape.ts';
import type { SimulationPorts } from '../simulation.ts';
import { type ClusterPod, clusterPod, isActive, isPlaceable } from './cluster-pods.ts';
import type { Inventory } from './inventory.ts';
import { workloadKinds } from './kinds.ts';
import { manifestText, type NamedManifest } from './manifest.ts';
import { daemonPod, workloadPods } from './workload-pods.ts';

export type ManifestPorts = Pick<SimulationPorts, 'clock' | 'instanceTypes' | 'note'>;

/** The cluster that the manifests describe: what runs on its nodes, and what is yet to be placed. */
export function manifestSnapshot({ manifests }: Inventory, ports: ManifestPorts): Snapshot {
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  const nodePools = ofKind('NodePool').map(({ object, origin }) => admittedNodePool(object, origin));
  if (nodePools.length === 0) ports.note('there is no NodePool among the manifests, so no node can be made');
  const instanceTypes = nodePools.length === 0 ? [] : ports.instanceTypes();
  const pods = ofKind('Pod').map(clusterPod).filter(isActive);
  const nodes = nodeViews(ofKind('Node'), pods);
  const { boundPods, pending } = divide(pods, nodes, ports.note);
  const toPlace = [...pending, ...expandedPods(manifests)];
  return {
    at: ports.clock.now(),
    revision: 0,
    nodePools,
    instanceTypes: new Map(nodePools.map(({ metadata }) => [metadata.name, instanceTypes])),
    nodes,
    pods: toPlace,
    boundPods,
    daemonPods: ofKind('DaemonSet').map(daemonPod),
    namespaces: namespaceLabels([...toPlace, ...boundPods], writtenNamespaces(ofKind('Namespace'))),
  };
}

function nodeViews(nodes: readonly NamedManifest[], pods: readonly ClusterPod[]): readonly NodeView[] {
  const byNode = podsByNode(pods.map(({ pod }) => pod));
  return nodes.map((manifest) => {
    const { name, object, origin } = manifest;
    const subject = manifestText(manifest);
    const node = readShape<WrittenNode>(nodeShape, object, origin, subject);
    return at(origin, subject, () => nodeView(name, node, byNode.get(name) ?? []));
  });
}

interface Division {
  readonly boundPods: readonly BoundPodView[];
  readonly pending: readonly PodView[];
}

/** Pods on nodes that stay are bound; those of nodes that are going away look for a place again. */
function divide(
  pods: readonly ClusterPod[],
  nodes: readonly NodeView[],
  note: (text: string) => void,
): Division {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const boundPods: BoundPodView[] = [];
  const pending: PodView[] = [];
  let strays = 0;
  for (const found of pods) {
    const { pod, identity } = found;
    const { nodeName } = pod.spec;
    const node = nodeName === undefined ? undefined : byName.get(nodeName);
    if (nodeName !== undefined && node === undefined) strays++;
    else if (node !== undefined && !node.deleting) boundPods.push(boundPodView(pod, identity, node.name));
    else if (isPlaceable(found)) pending.push(podView(pod, identity));
  }
  if (strays > 0) note(`${countText(strays)} on nodes that are not among the manifests, and left out`);
  return { boundPods, pending };
}

function countText(pods: number): string {
  return pods === 1 ? 'one pod is' : `${pods} pods are`;
}

/** Workloads whose own pods or ReplicaSets are in the input stand there already. */
function expandedPods(manifests: readonly NamedManifest[]): readonly PodView[] {
  const owners = new Set(manifests.flatMap(ownerKey));
  return manifests
    .filter((manifest) => workloadKinds.has(manifest.kind) && !owners.has(manifestText(manifest)))
    .flatMap(workloadPods);
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

import { awsLabelPolicy } from '@karpenter/aws';
import type { NodePool } from '@karpenter/core/api';
import { applyOverlays, type OverlayOutcome } from '@karpenter/core/node-overlays';
import { usesDynamicResources } from '@karpenter/core/pending-pods';
import { requirementPolicy } from '@karpenter/core/requirements';
import type { PodView, Snapshot } from '@karpenter/core/scheduling';
import type { Labels } from '@karpenter/core/values';
import { admittedNodeOverlay, admittedNodePool } from '../cluster/admitted-object.ts';
import { namespaceLabels } from '../cluster/namespace-labels.ts';
import type { Choices, Findings, SimulationPorts } from '../simulation.ts';
import { clusterDemand } from './cluster-demand.ts';
import { clusterNodes } from './cluster-nodes.ts';
import { clusterPod, isActive } from './cluster-pods.ts';
import { type Inventory, type ManifestsOfKind, manifestsByKind } from './inventory.ts';
import { metadataOf } from './manifest.ts';
import { daemonPod } from './workload-pods.ts';

export type ManifestPorts = Pick<SimulationPorts, 'clock' | 'instanceTypes' | 'note'>;

export interface ManifestCluster {
  readonly snapshot: Snapshot;
  readonly findings: Findings;
}

/** The cluster that the manifests describe: what runs on its nodes, and what is yet to be placed. */
export function manifestCluster(
  { manifests }: Inventory,
  choices: Choices,
  ports: ManifestPorts,
): ManifestCluster {
  const ofKind = manifestsByKind(manifests);
  const nodePools = ofKind('NodePool').map(({ object, origin }) => admittedNodePool(object, origin));
  if (nodePools.length === 0) ports.note('there is no NodePool among the manifests, so no node can be made');
  const { instanceTypes, verdicts } = overlaidTypes(ofKind, nodePools, ports);
  const clusterPods = ofKind('Pod').map(clusterPod).filter(isActive);
  const written = clusterPods.map(({ pod }) => pod);
  const nodes = clusterNodes(ofKind, written, ports.note);
  const demand = clusterDemand({ manifests, pods: clusterPods, nodes }, choices, ports.note);
  const { pods, boundPods, storage, ignored, buffers } = demand;
  const snapshot: Snapshot = {
    at: ports.clock.now(),
    revision: 0,
    nodePools,
    instanceTypes,
    nodes,
    pods,
    boundPods,
    daemonPods: daemonPods(ofKind),
    namespaces: namespaceLabels([...pods, ...boundPods], writtenNamespaces(ofKind)),
    ...(storage !== undefined && { storage }),
  };
  const found = buffers.map(({ pods: _, ...buffer }) => buffer);
  return { snapshot, findings: { ignored, overlays: verdicts, buffers: found } };
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

/** Daemons that claim devices are not counted: nobody knows on which nodes they will run. */
function daemonPods(ofKind: ManifestsOfKind): readonly PodView[] {
  return ofKind('DaemonSet')
    .map(daemonPod)
    .filter(({ spec }) => !usesDynamicResources(spec));
}

function writtenNamespaces(ofKind: ManifestsOfKind): ReadonlyMap<string, Labels> {
  return new Map(ofKind('Namespace').map((manifest) => [manifest.name, metadataOf(manifest).labels ?? {}]));
}

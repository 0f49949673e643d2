import { capacityBufferKind, nodeClaimKind, nodeOverlayKind, nodePoolKind } from '@karpenter/core/api';
import type { StateKind, StateObjects } from '@karpenter/core/state';
import { type Kind, type KubeObject, kindOf, kinds } from '@karpenter/kube/client';

/** Where custom resources are found; label rules matter to their definitions, not to who reads them. */
export const nodeClaims = kindOf(nodeClaimKind([]));
export const nodePools = kindOf(nodePoolKind([]));
export const nodeOverlays = kindOf(nodeOverlayKind([]));
export const capacityBuffers = kindOf(capacityBufferKind);

/** What the state is fed from. The server fills in what it requires, so objects have the shape that the state reads. */
export const stateSources: { readonly [K in StateKind]: Kind<StateObjects[K] & KubeObject> } = {
  Node: as(kinds.node),
  NodeClaim: as(nodeClaims),
  NodePool: as(nodePools),
  NodeOverlay: as(nodeOverlays),
  Pod: as(kinds.pod),
  DaemonSet: as(kinds.daemonSet),
  PersistentVolumeClaim: as(kinds.persistentVolumeClaim),
  PersistentVolume: as(kinds.persistentVolume),
  StorageClass: as(kinds.storageClass),
  CSINode: as(kinds.csiNode),
  VolumeAttachment: as(kinds.volumeAttachment),
  PodDisruptionBudget: as(kinds.podDisruptionBudget),
  Namespace: as(kinds.namespace),
};

/** The type of a kind's objects is never looked at when it runs. */
function as<T extends KubeObject>({ objects: _, ...kind }: Kind): Kind<T> {
  return kind;
}

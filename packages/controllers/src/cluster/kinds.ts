import type { StateKind, StateObjects } from '@karpenter/core/state';
import {
  type Kind,
  type KubeObject,
  kinds,
  nodeClaims,
  nodeOverlays,
  nodePools,
} from '@karpenter/kube/client';

export { capacityBuffers, nodeClaims, nodeOverlays, nodePools } from '@karpenter/kube/client';

/**
 * The kinds that feed the cluster state, with the fields that the state reads. The API server validates
 * objects and fills in defaults, so they are not checked again here.
 */
export const stateSources: { readonly [K in StateKind]: Kind<StateObjects[K] & KubeObject> } = {
  Node: shapedAs(kinds.node),
  NodeClaim: shapedAs(nodeClaims),
  NodePool: shapedAs(nodePools),
  NodeOverlay: shapedAs(nodeOverlays),
  Pod: shapedAs(kinds.pod),
  DaemonSet: shapedAs(kinds.daemonSet),
  PersistentVolumeClaim: shapedAs(kinds.persistentVolumeClaim),
  PersistentVolume: shapedAs(kinds.persistentVolume),
  StorageClass: shapedAs(kinds.storageClass),
  CSINode: shapedAs(kinds.csiNode),
  VolumeAttachment: shapedAs(kinds.volumeAttachment),
  PodDisruptionBudget: shapedAs(kinds.podDisruptionBudget),
  Namespace: shapedAs(kinds.namespace),
};

/**
 * The same kind with another type for its objects. The type exists at compile time only; nothing is
 * converted.
 */
export function shapedAs<T extends KubeObject>({ objects: _, ...kind }: Kind): Kind<T> {
  return kind;
}

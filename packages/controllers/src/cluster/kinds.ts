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

/** What the state is fed from. The server fills in what it requires, so objects have the shape that the state reads. */
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

/** The kind, of whose objects another shape is known; it is never looked at when the program runs. */
export function shapedAs<T extends KubeObject>({ objects: _, ...kind }: Kind): Kind<T> {
  return kind;
}

export {
  type BoundPodParts,
  boundPod,
  budget,
  type ClaimParts,
  claim,
  daemonSet,
  type NodeParts,
  node,
  nodePoolLabel,
  pendingPod,
} from './object-builders.ts';

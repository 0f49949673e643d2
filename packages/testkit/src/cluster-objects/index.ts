/**
 * Builders of Kubernetes objects as an API server stores them, for tests of the cluster state and of
 * disruption. `snapshots` builds the planner's view instead.
 */
export {
  type BoundPodParts,
  boundPod,
  budget,
  claim,
  daemonSet,
  node,
  nodePoolLabel,
  pendingPod,
} from './object-builders.ts';

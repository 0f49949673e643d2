/**
 * Builders of Kubernetes objects as an API server stores them, for tests of the cluster state and of
 * disruption. Pure. `snapshots` builds the planner's view instead. Start with `object-builders.ts`.
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

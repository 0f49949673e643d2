/**
 * Prepares what plans are made from: refreshes instance types, takes a snapshot of the cluster state and adds
 * what the state does not hold, such as buffer pods, device claims and default spread constraints.
 *
 * Start with `cluster-planning.ts`. Provisioning, disruption and the simulate command share it, so that all
 * of them plan for the same pods. `captured-cluster.ts` collects all that a plan depends on, for a file that
 * gives the same plan again (`@karpenter/core/saved-cluster`). It reads watch caches and lists instance types of the cloud provider; it
 * writes nothing.
 */
export { bufferReferences, isActiveBuffer, resolvedBuffers } from './buffer-references.ts';
export { ClusterPlanning } from './cluster-planning.ts';
export { planOptions } from './plan-options.ts';
export {
  companionKinds,
  isOptionalKind,
  type PlanningKindsContext,
  planningKinds,
} from './planning-kinds.ts';
export { simulationInput } from './simulation-input.ts';
export { workloadTrim } from './upcoming-workloads.ts';

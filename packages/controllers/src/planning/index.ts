/**
 * Prepares what plans are made from: refreshes instance types, takes a snapshot of the cluster state and adds
 * what the state does not contain, such as buffer pods, device claims and default spread constraints.
 * Provisioning, disruption and the simulate command share it, so that all of them plan for the same pods.
 *
 * Start with `cluster-planning.ts`; `captured-cluster.ts` collects what a plan depends on, for a file that
 * gives the same plan again. It reads informers and the instance types of the cloud provider; it writes
 * nothing.
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

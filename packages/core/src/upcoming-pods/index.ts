/**
 * Upcoming pods: pods that a ReplicaSet or Job is creating at the moment and that do not exist yet. They are
 * virtual pods of a plan that fill and size the nodes of real pods, so that pods that arrive one by one get
 * as few nodes as all at once (ADR 0068). Pure functions; workloads and their pods are looked up by the
 * caller. Start with `upcoming-pods.ts` (which pods), `upcoming-plan.ts` (what a plan keeps of them) and
 * `arrived-pods.ts` (how a pod takes its place on a launching NodeClaim).
 */
export { arrivedPods } from './arrived-pods.ts';
export type { WorkloadView } from './missing-pods.ts';
export { plannedWithUpcoming, planWithUpcomingSteps } from './upcoming-plan.ts';
export { upcomingPods, type WorkloadSource } from './upcoming-pods.ts';

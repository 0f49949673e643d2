export { bufferReferences, isOurs, resolvedBuffers } from './buffer-references.ts';
export { ClusterPlanning, type PlanningContext } from './cluster-planning.ts';
export type { TypesFound } from './instance-type-refresh.ts';
export { planOptions } from './plan-options.ts';
export { type SliceOptions, slicedPlan } from './sliced-plan.ts';

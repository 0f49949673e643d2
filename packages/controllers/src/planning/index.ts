export { bufferReferences, isOurs, resolvedBuffers } from './buffer-references.ts';
export { ClusterPlanning, type PlanningContext } from './cluster-planning.ts';
export type { TypesFound } from './instance-type-refresh.ts';

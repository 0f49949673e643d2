export { allocatableOf } from './allocatable.ts';
export { type ClassDemands, isCompatible } from './compatibility.ts';
export type { DescribedType } from './described-type.ts';
export { DiscoveredMemory, type MemoryReport } from './discovered-memory.ts';
export { type InstanceShape, instanceShape } from './instance-shape.ts';
export type { NodeFacts, SizeSettings } from './node-facts.ts';
export type { ClassZone, Place, PlacementGroup } from './place.ts';
export { RequirementPool } from './requirement-pool.ts';
export { typeRequirements } from './type-requirements.ts';

/**
 * Turns DescribeInstanceTypes records and an EC2NodeClass into capacity, overhead and label requirements, as
 * Karpenter's instance type provider does (ADR 0014). Pure, except discovery.ts, which calls EC2, and the
 * memory discovered on nodes. Start with instance-shape.ts (sizes) and type-requirements.ts (labels).
 */

export { allocatableOf } from './allocatable.ts';
export { type ClassFacts, classFactsOf, imagesHashOf, type ReadClass } from './class-facts.ts';
export { isCompatible } from './compatibility.ts';
export type { DescribedType } from './described-type.ts';
export { memoryMiBOf, nameOf, vCpusOf } from './described-type.ts';
export { DiscoveredMemory } from './discovered-memory.ts';
export { discoverTypes, discoverZones, type TypeQueries, type TypeZones } from './discovery.ts';
export { type InstanceShape, instanceShape } from './instance-shape.ts';
export { describedLabels, reservationLabelKeys } from './labels.ts';
export type { NodeFacts, SizeSettings } from './node-facts.ts';
export { burstOf, nodePrice } from './node-price.ts';
export { partialDevices } from './partial-devices.ts';
export type { ClassZone, PlacementGroup } from './place.ts';
export { partitionsOf } from './place.ts';
export { RequirementPool } from './requirement-pool.ts';
export { typeRequirements, usageClassesOf } from './type-requirements.ts';

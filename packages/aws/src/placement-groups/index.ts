export { type PartitionStep, partitionStep } from './partition-registration.ts';
export { type PlacementGroupOutcome, PlacementGroupProvider } from './placement-group-provider.ts';

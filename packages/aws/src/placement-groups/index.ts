/**
 * Resolves the placement group of an EC2NodeClass, and decides when a node of a partition group may register.
 * Calls DescribePlacementGroups only. Start with placement-group-provider.ts.
 */

export { partitionStep } from './partition-registration.ts';
export { PlacementGroupProvider } from './placement-group-provider.ts';

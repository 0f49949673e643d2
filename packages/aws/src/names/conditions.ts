import { conditionSet } from '@karpenter/core/api';

/** Condition types of an EC2NodeClass. */
export const ec2NodeClassConditions = {
  amisReady: 'AMIsReady',
  subnetsReady: 'SubnetsReady',
  securityGroupsReady: 'SecurityGroupsReady',
  instanceProfileReady: 'InstanceProfileReady',
  validationSucceeded: 'ValidationSucceeded',
  placementGroupReady: 'PlacementGroupReady',
  capacityReservationsReady: 'CapacityReservationsReady',
  ready: 'Ready',
} as const;

const alwaysDependent = [
  ec2NodeClassConditions.amisReady,
  ec2NodeClassConditions.subnetsReady,
  ec2NodeClassConditions.securityGroupsReady,
  ec2NodeClassConditions.instanceProfileReady,
  ec2NodeClassConditions.validationSucceeded,
  ec2NodeClassConditions.placementGroupReady,
] as const;

/**
 * Conditions on which Ready depends. CapacityReservationsReady
 * is one only if the ReservedCapacity gate is on.
 */
export function ec2NodeClassConditionSet(gates: { readonly ReservedCapacity: boolean }) {
  return conditionSet({
    root: ec2NodeClassConditions.ready,
    dependents: gates.ReservedCapacity
      ? [...alwaysDependent, ec2NodeClassConditions.capacityReservationsReady]
      : alwaysDependent,
  });
}

/** Condition reasons and messages of an EC2NodeClass, with Karpenter's texts. */
export const ec2NodeClassReasons = {
  unsupportedAlias: { reason: 'UnsupportedAlias' },
  amiNotFound: { reason: 'AMINotFound', message: 'AMISelector did not match any AMIs' },
  placementGroupResolutionFailed: {
    reason: 'PlacementGroupResolutionFailed',
    message: 'Failed to resolve placement group',
  },
  placementGroupNotFound: (selector: string) => ({
    reason: 'PlacementGroupNotFound',
    message: `Placement group "${selector}" not found`,
  }),
  subnetsNotFound: { reason: 'SubnetsNotFound', message: 'SubnetSelector did not match any Subnets' },
  securityGroupsNotFound: {
    reason: 'SecurityGroupsNotFound',
    message: 'SecurityGroupSelector did not match any SecurityGroups',
  },
  clusterCidrResolutionFailed: {
    reason: 'ClusterCIDRResolutionFailed',
    message: 'Failed to detect the cluster CIDR',
  },
  dependenciesNotReady: {
    reason: 'DependenciesNotReady',
    message: 'Awaiting AMI, Instance Profile, Security Group, and Subnet resolution',
  },
  tagValidationFailed: { reason: 'TagValidationFailed' },
  createLaunchTemplateAuthCheckFailed: { reason: 'CreateLaunchTemplateAuthCheckFailed' },
  createFleetAuthCheckFailed: { reason: 'CreateFleetAuthCheckFailed' },
  runInstancesAuthCheckFailed: { reason: 'RunInstancesAuthCheckFailed' },
  userDataSizeLimitExceeded: { reason: 'UserDataSizeLimitExceeded' },
} as const;

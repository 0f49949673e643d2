import type { PolicyStatement } from './policy-document.ts';
import { instanceProfileArn, type PolicyScope } from './policy-scope.ts';

const describedResources = [
  'CapacityReservations',
  'Images',
  'Instances',
  'InstanceStatus',
  'InstanceTypeOfferings',
  'InstanceTypes',
  'LaunchTemplates',
  'PlacementGroups',
  'SecurityGroups',
  'SpotPriceHistory',
  'Subnets',
] as const;

/** Statements for reading the resources that launches use. */
export function resourceDiscoveryStatements(scope: PolicyScope): readonly PolicyStatement[] {
  const { partition, region } = scope;
  return [
    {
      Sid: 'AllowRegionalReadActions',
      Effect: 'Allow',
      Resource: '*',
      Action: describedResources.map((resource) => `ec2:Describe${resource}`),
      Condition: { StringEquals: { 'aws:RequestedRegion': region } },
    },
    {
      Sid: 'AllowSSMReadActions',
      Effect: 'Allow',
      Resource: `arn:${partition}:ssm:${region}::parameter/aws/service/*`,
      Action: 'ssm:GetParameter',
    },
    { Sid: 'AllowPricingReadActions', Effect: 'Allow', Resource: '*', Action: 'pricing:GetProducts' },
    {
      Sid: 'AllowUnscopedInstanceProfileListAction',
      Effect: 'Allow',
      Resource: '*',
      Action: 'iam:ListInstanceProfiles',
    },
    {
      Sid: 'AllowInstanceProfileReadActions',
      Effect: 'Allow',
      Resource: instanceProfileArn(scope),
      Action: 'iam:GetInstanceProfile',
    },
  ];
}

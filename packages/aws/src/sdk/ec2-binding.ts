import type { Ec2 } from '../ports/index.ts';
import { type BindingOptions, ServiceBinding } from './service-binding.ts';

export function bindEc2(options: BindingOptions): Ec2 {
  const ec2 = new ServiceBinding('EC2', options, () => import('./clients/ec2.ts'));
  return {
    createFleet: ec2.call('CreateFleet', (sdk) => sdk.CreateFleetCommand),
    createLaunchTemplate: ec2.call('CreateLaunchTemplate', (sdk) => sdk.CreateLaunchTemplateCommand),
    createTags: ec2.call('CreateTags', (sdk) => sdk.CreateTagsCommand),
    deleteLaunchTemplate: ec2.call('DeleteLaunchTemplate', (sdk) => sdk.DeleteLaunchTemplateCommand),
    describeAvailabilityZones: ec2.call(
      'DescribeAvailabilityZones',
      (sdk) => sdk.DescribeAvailabilityZonesCommand,
    ),
    describeCapacityReservations: ec2.call(
      'DescribeCapacityReservations',
      (sdk) => sdk.DescribeCapacityReservationsCommand,
    ),
    describeImages: ec2.call('DescribeImages', (sdk) => sdk.DescribeImagesCommand),
    describeInstances: ec2.call('DescribeInstances', (sdk) => sdk.DescribeInstancesCommand),
    describeInstanceStatus: ec2.call('DescribeInstanceStatus', (sdk) => sdk.DescribeInstanceStatusCommand),
    describeInstanceTypeOfferings: ec2.call(
      'DescribeInstanceTypeOfferings',
      (sdk) => sdk.DescribeInstanceTypeOfferingsCommand,
    ),
    describeInstanceTypes: ec2.call('DescribeInstanceTypes', (sdk) => sdk.DescribeInstanceTypesCommand),
    describeLaunchTemplates: ec2.call('DescribeLaunchTemplates', (sdk) => sdk.DescribeLaunchTemplatesCommand),
    describeLaunchTemplateVersions: ec2.call(
      'DescribeLaunchTemplateVersions',
      (sdk) => sdk.DescribeLaunchTemplateVersionsCommand,
    ),
    describePlacementGroups: ec2.call('DescribePlacementGroups', (sdk) => sdk.DescribePlacementGroupsCommand),
    describeSecurityGroups: ec2.call('DescribeSecurityGroups', (sdk) => sdk.DescribeSecurityGroupsCommand),
    describeSpotPriceHistory: ec2.call(
      'DescribeSpotPriceHistory',
      (sdk) => sdk.DescribeSpotPriceHistoryCommand,
    ),
    describeSubnets: ec2.call('DescribeSubnets', (sdk) => sdk.DescribeSubnetsCommand),
    runInstances: ec2.call('RunInstances', (sdk) => sdk.RunInstancesCommand),
    terminateInstances: ec2.call('TerminateInstances', (sdk) => sdk.TerminateInstancesCommand),
  };
}

import type { Ec2 } from '../ports/index.ts';
import { type BindingOptions, ServiceBinding } from './service-binding.ts';

export function bindEc2(options: BindingOptions): Ec2 {
  const ec2 = new ServiceBinding('EC2', options, async (config) => {
    const { Ec2Client } = await import('./ec2/index.ts');
    return new Ec2Client(config);
  });
  const call = <Input extends object, Answer extends object>(operation: string) =>
    ec2.call<Input, Answer>(operation, (client, input, send) => client.request(operation, input, send));
  return {
    createFleet: call('CreateFleet'),
    createLaunchTemplate: call('CreateLaunchTemplate'),
    createTags: call('CreateTags'),
    deleteLaunchTemplate: call('DeleteLaunchTemplate'),
    describeAvailabilityZones: call('DescribeAvailabilityZones'),
    describeCapacityReservations: call('DescribeCapacityReservations'),
    describeImages: call('DescribeImages'),
    describeInstances: call('DescribeInstances'),
    describeInstanceStatus: call('DescribeInstanceStatus'),
    describeInstanceTypeOfferings: call('DescribeInstanceTypeOfferings'),
    describeInstanceTypes: call('DescribeInstanceTypes'),
    describeLaunchTemplates: call('DescribeLaunchTemplates'),
    describePlacementGroups: call('DescribePlacementGroups'),
    describeSecurityGroups: call('DescribeSecurityGroups'),
    describeSpotPriceHistory: call('DescribeSpotPriceHistory'),
    describeSubnets: call('DescribeSubnets'),
    runInstances: call('RunInstances'),
    terminateInstances: call('TerminateInstances'),
  };
}

import { createRequire } from 'node:module';
import type { Ec2 } from '../ports/index.ts';
import { type BindingOptions, ServiceBinding } from './service-binding.ts';

/**
 * The client of EC2 is one file of 2 MB. Node would read all of an imported one for the names that it exports first, which
 * takes as long as running it and 18 MB that are never given back.
 */
const require = createRequire(import.meta.url);

export function bindEc2(options: BindingOptions): Ec2 {
  const ec2 = new ServiceBinding('EC2', options, async (config) => {
    const { EC2 }: typeof import('@aws-sdk/client-ec2') = require('@aws-sdk/client-ec2');
    return new EC2(config);
  });
  return {
    createFleet: ec2.call('CreateFleet', (client, input, send) => client.createFleet(input, send)),
    createLaunchTemplate: ec2.call('CreateLaunchTemplate', (client, input, send) =>
      client.createLaunchTemplate(input, send),
    ),
    createTags: ec2.call('CreateTags', (client, input, send) => client.createTags(input, send)),
    deleteLaunchTemplate: ec2.call('DeleteLaunchTemplate', (client, input, send) =>
      client.deleteLaunchTemplate(input, send),
    ),
    describeAvailabilityZones: ec2.call('DescribeAvailabilityZones', (client, input, send) =>
      client.describeAvailabilityZones(input, send),
    ),
    describeCapacityReservations: ec2.call('DescribeCapacityReservations', (client, input, send) =>
      client.describeCapacityReservations(input, send),
    ),
    describeImages: ec2.call('DescribeImages', (client, input, send) => client.describeImages(input, send)),
    describeInstances: ec2.call('DescribeInstances', (client, input, send) =>
      client.describeInstances(input, send),
    ),
    describeInstanceStatus: ec2.call('DescribeInstanceStatus', (client, input, send) =>
      client.describeInstanceStatus(input, send),
    ),
    describeInstanceTypeOfferings: ec2.call('DescribeInstanceTypeOfferings', (client, input, send) =>
      client.describeInstanceTypeOfferings(input, send),
    ),
    describeInstanceTypes: ec2.call('DescribeInstanceTypes', (client, input, send) =>
      client.describeInstanceTypes(input, send),
    ),
    describeLaunchTemplates: ec2.call('DescribeLaunchTemplates', (client, input, send) =>
      client.describeLaunchTemplates(input, send),
    ),
    describePlacementGroups: ec2.call('DescribePlacementGroups', (client, input, send) =>
      client.describePlacementGroups(input, send),
    ),
    describeSecurityGroups: ec2.call('DescribeSecurityGroups', (client, input, send) =>
      client.describeSecurityGroups(input, send),
    ),
    describeSpotPriceHistory: ec2.call('DescribeSpotPriceHistory', (client, input, send) =>
      client.describeSpotPriceHistory(input, send),
    ),
    describeSubnets: ec2.call('DescribeSubnets', (client, input, send) =>
      client.describeSubnets(input, send),
    ),
    runInstances: ec2.call('RunInstances', (client, input, send) => client.runInstances(input, send)),
    terminateInstances: ec2.call('TerminateInstances', (client, input, send) =>
      client.terminateInstances(input, send),
    ),
  };
}

import {
  CreateFleet$,
  CreateLaunchTemplate$,
  CreateTags$,
  DeleteLaunchTemplate$,
  DescribeAvailabilityZones$,
  DescribeCapacityReservations$,
  DescribeImages$,
  DescribeInstanceStatus$,
  DescribeInstances$,
  DescribeInstanceTypeOfferings$,
  DescribeInstanceTypes$,
  DescribeLaunchTemplates$,
  DescribeLaunchTemplateVersions$,
  DescribePlacementGroups$,
  DescribeRegions$,
  DescribeSecurityGroups$,
  DescribeSpotPriceHistory$,
  DescribeSubnets$,
  RunInstances$,
  TerminateInstances$,
} from '@aws-sdk/client-ec2';
import type { AdministratorServices } from '../../cloud/index.ts';
import { operation } from '../protocols/protocol.ts';
import { QueryProtocol } from '../protocols/query-protocol.ts';
import type { WireService } from './wire-service.ts';

export function ec2Wire({ ec2, administration }: AdministratorServices): WireService {
  return {
    name: 'ec2',
    version: '2016-11-15',
    isRegional: true,
    protocols: [
      new QueryProtocol({ dialect: 'ec2', xmlNamespace: 'http://ec2.amazonaws.com/doc/2016-11-15/' }),
    ],
    operations: [
      operation(CreateFleet$, ec2.createFleet),
      operation(CreateLaunchTemplate$, ec2.createLaunchTemplate),
      operation(CreateTags$, ec2.createTags),
      operation(DeleteLaunchTemplate$, ec2.deleteLaunchTemplate),
      operation(DescribeAvailabilityZones$, ec2.describeAvailabilityZones),
      operation(DescribeCapacityReservations$, ec2.describeCapacityReservations),
      operation(DescribeImages$, ec2.describeImages),
      operation(DescribeInstanceStatus$, ec2.describeInstanceStatus),
      operation(DescribeInstances$, ec2.describeInstances),
      operation(DescribeInstanceTypeOfferings$, ec2.describeInstanceTypeOfferings),
      operation(DescribeInstanceTypes$, ec2.describeInstanceTypes),
      operation(DescribeLaunchTemplates$, ec2.describeLaunchTemplates),
      operation(DescribeLaunchTemplateVersions$, ec2.describeLaunchTemplateVersions),
      operation(DescribePlacementGroups$, ec2.describePlacementGroups),
      operation(DescribeRegions$, administration.describeRegions),
      operation(DescribeSecurityGroups$, ec2.describeSecurityGroups),
      operation(DescribeSpotPriceHistory$, ec2.describeSpotPriceHistory),
      operation(DescribeSubnets$, ec2.describeSubnets),
      operation(RunInstances$, ec2.runInstances),
      operation(TerminateInstances$, ec2.terminateInstances),
    ],
  };
}

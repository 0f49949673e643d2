import { randomUUID } from 'node:crypto';
import { CapacityReservationProvider } from '../capacity-reservations/index.ts';
import { ClusterCidr } from '../cluster-network/index.ts';
import { ImageProvider, ParameterStore } from '../images/index.ts';
import { InstanceProfileProvider } from '../instance-profiles/index.ts';
import { SecurityGroupProvider, SubnetProvider } from '../network/index.ts';
import type { ReservationCounts } from '../offerings/index.ts';
import { PlacementGroupProvider } from '../placement-groups/index.ts';
import { VersionProvider } from '../version/index.ts';
import type { AwsProvider, AwsProviderOptions } from './aws-provider.ts';

type ClassResolvers = Pick<
  AwsProvider,
  | 'images'
  | 'parameters'
  | 'subnets'
  | 'securityGroups'
  | 'profiles'
  | 'reservations'
  | 'placementGroups'
  | 'version'
  | 'clusterCidr'
>;

/** Builds the providers that resolve the selectors of an EC2NodeClass. */
export function classResolvers(options: AwsProviderOptions, counts: ReservationCounts): ClassResolvers {
  const { services, region, settings, clock, log, serverVersion, unique = randomUUID } = options;
  const { ec2, iam, ssm, eks } = services;
  const { clusterName, eksControlPlane, amiRefreshInterval, subnetRefreshInterval } = settings;
  const version = new VersionProvider({ eks, clusterName, eksControlPlane, serverVersion, log });
  const parameters = new ParameterStore({ ssm, clock, log });
  return {
    version,
    parameters,
    images: new ImageProvider({
      ec2,
      parameters,
      clock,
      log,
      k8sVersion: () => version.get(),
      refreshInterval: amiRefreshInterval,
    }),
    subnets: new SubnetProvider({ ec2, clock, log, refreshInterval: subnetRefreshInterval }),
    securityGroups: new SecurityGroupProvider({ ec2, clock, log }),
    profiles: new InstanceProfileProvider({ iam, clock, log, region, clusterName, unique }),
    reservations: new CapacityReservationProvider({ ec2, clock, log, counts }),
    placementGroups: new PlacementGroupProvider({ ec2, clock, log }),
    clusterCidr: new ClusterCidr({ eks, clusterName, log }),
  };
}

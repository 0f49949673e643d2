import type { Instant } from '@karpenter/kube/runtime';
import type { LaunchTemplateData } from '../ec2/shapes.ts';
import type { CapacityReservation } from './capacity-reservation.ts';
import type { Image } from './image.ts';
import type { Instance } from './instance.ts';
import type { Queue } from './queue.ts';
import type { Subnet } from './subnet.ts';
import type { Tagged } from './tags.ts';

export interface WorldZone {
  readonly name: string;
  readonly id: string;
}

export interface SecurityGroup extends Tagged {
  readonly id: string;
  readonly name: string;
  readonly vpcId: string;
  readonly tags: Map<string, string>;
}

export interface PlacementGroup extends Tagged {
  readonly id: string;
  readonly name: string;
  readonly strategy: 'cluster' | 'partition' | 'spread';
  readonly partitions?: number;
  readonly tags: Map<string, string>;
}

export interface Role {
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly createdAt: Instant;
}

export interface InstanceProfile extends Tagged {
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly createdAt: Instant;
  readonly tags: Map<string, string>;
  roleName?: string;
}

export interface LaunchTemplate extends Tagged {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly data: LaunchTemplateData;
  readonly clientToken: string;
  readonly tags: Map<string, string>;
}

export interface EksCluster {
  readonly name: string;
  readonly arn: string;
  readonly endpoint: string;
  /** Base64, as EKS gives it and user data carries it. */
  readonly certificateAuthority: string;
  /** `1.36`. */
  readonly version: string;
  readonly serviceIpv4Cidr?: string;
  readonly serviceIpv6Cidr?: string;
  readonly createdAt: Instant;
  /** Where it was before it moved; machines that were launched then still find it. */
  readonly formerAddresses?: readonly ClusterAddress[];
}

/** How kubelets find the API server, and how they know it. */
export type ClusterAddress = Pick<EksCluster, 'endpoint' | 'certificateAuthority'>;

export interface Parameter {
  readonly name: string;
  readonly value: string;
  readonly version: number;
  readonly modifiedAt: Instant;
}

export interface Shift {
  readonly zoneId: string;
  readonly expiresAt: Instant;
}

/** All that an account has in one region, as it is now. */
export interface World {
  readonly accountId: string;
  readonly region: string;
  readonly callerArn: string;
  readonly zones: readonly WorldZone[];
  /** Another one after an upgrade. */
  cluster: EksCluster;
  readonly subnets: Map<string, Subnet>;
  readonly securityGroups: Map<string, SecurityGroup>;
  readonly images: Map<string, Image>;
  readonly parameters: Map<string, Parameter>;
  readonly roles: Map<string, Role>;
  readonly instanceProfiles: Map<string, InstanceProfile>;
  readonly launchTemplates: Map<string, LaunchTemplate>;
  readonly placementGroups: Map<string, PlacementGroup>;
  readonly capacityReservations: Map<string, CapacityReservation>;
  readonly instances: Map<string, Instance>;
  readonly queues: Map<string, Queue>;
  readonly shifts: Map<string, Shift>;
}

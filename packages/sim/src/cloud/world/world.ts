import type { Instant } from '@karpenter/kube/runtime';
import type { LaunchTemplateData } from '../ec2/shapes.ts';
import type { AutoScalingGroup, Nodegroup } from './auto-scaling-group.ts';
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

export interface SimulatedPlacementGroup extends Tagged {
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
  /** Base64, as DescribeCluster returns it and user data contains it. */
  readonly certificateAuthority: string;
  /** The minor version, such as `1.36`. */
  readonly version: string;
  readonly serviceIpv4Cidr?: string;
  readonly serviceIpv6Cidr?: string;
  readonly createdAt: Instant;
  /** ARNs of roles with an EKS access entry, which has the type EC2_LINUX unless `accessEntryTypes` has another. */
  readonly accessEntries?: readonly string[];
  /** By the ARN of its role, the type of an access entry that is not EC2_LINUX. */
  readonly accessEntryTypes?: Readonly<Record<string, string>>;
  /** Addresses of earlier starts; instances launched then still find the cluster under them. */
  readonly formerAddresses?: readonly ClusterAddress[];
}

/** How kubelets reach the API server and verify its certificate. */
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

/**
 * The resources of an account in one region, in their current state. What is added here must be saved in
 * saved-world.ts.
 */
export interface CloudWorld {
  readonly accountId: string;
  readonly region: string;
  readonly callerArn: string;
  readonly zones: readonly WorldZone[];
  /** Replaced as a whole when the cluster is upgraded or moves. */
  cluster: EksCluster;
  readonly subnets: Map<string, Subnet>;
  readonly securityGroups: Map<string, SecurityGroup>;
  readonly images: Map<string, Image>;
  readonly parameters: Map<string, Parameter>;
  readonly roles: Map<string, Role>;
  readonly instanceProfiles: Map<string, InstanceProfile>;
  readonly launchTemplates: Map<string, LaunchTemplate>;
  readonly placementGroups: Map<string, SimulatedPlacementGroup>;
  readonly capacityReservations: Map<string, CapacityReservation>;
  readonly instances: Map<string, Instance>;
  readonly queues: Map<string, Queue>;
  readonly shifts: Map<string, Shift>;
  readonly autoScalingGroups: Map<string, AutoScalingGroup>;
  readonly nodegroups: Map<string, Nodegroup>;
}

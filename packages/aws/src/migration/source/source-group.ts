import type { NodePool } from '@karpenter/core/api';
import type { AmiFamilyName } from '../../ami-family/index.ts';
import type { EC2NodeClassSpec } from '../../node-class/index.ts';
import type { MigrationFinding } from '../finding.ts';

export type GroupTaint = NonNullable<NodePool['spec']['template']['spec']['taints']>[number];

export interface GroupSizes {
  readonly min: number;
  readonly desired: number;
  readonly max: number;
}

/** Instance types that an eksctl file selects by properties instead of names. */
export interface InstanceSelector {
  readonly vcpus?: number;
  readonly memoryMiB?: number;
  readonly gpus?: number;
  readonly architecture?: 'amd64' | 'arm64';
}

/** How a group divides its instances: 100 % is on-demand only, 0 % is spot only. */
export interface GroupMarket {
  readonly onDemandBase: number;
  readonly onDemandPercentage: number;
}

export interface GroupImage {
  readonly family: AmiFamilyName;
  /** Id of a custom AMI. */
  readonly id?: string;
  /** Version of the alias: `latest`, `v20250701`. */
  readonly version?: string;
}

/** Fields of the EC2NodeClass that follow directly from the group. */
type GroupNodeClass = Partial<
  Pick<
    EC2NodeClassSpec,
    | 'associatePublicIPAddress'
    | 'blockDeviceMappings'
    | 'capacityReservationSelectorTerms'
    | 'detailedMonitoring'
    | 'kubelet'
    | 'metadataOptions'
    | 'networkInterfaces'
    | 'placementGroupSelector'
    | 'userData'
  >
>;

/** A node group in a common form, from a managed node group, an Auto Scaling group or an eksctl file. */
export interface SourceGroup {
  readonly name: string;
  readonly origin: 'managed node group' | 'Auto Scaling group' | 'eksctl file';
  /** Absent if the group comes from a file. */
  readonly autoScalingGroup?: string;
  /** Name in EKS; set for managed node groups. */
  readonly nodegroup?: string;
  readonly sizes: GroupSizes;
  readonly instanceTypes: readonly string[];
  readonly selector: InstanceSelector;
  readonly market: GroupMarket;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly GroupTaint[];
  readonly zones: readonly string[];
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
  readonly image: GroupImage;
  /** Name of the role, without its path. */
  readonly role?: string;
  readonly instanceProfile?: string;
  readonly nodeClass: GroupNodeClass;
  readonly tags: Readonly<Record<string, string>>;
  /** Extended resources that Cluster Autoscaler expects on a new node of the group. */
  readonly extendedResources: Readonly<Record<string, string>>;
  /** Options of Cluster Autoscaler for this group only, by their name in the tag. */
  readonly autoscalerOptions: Readonly<Record<string, string>>;
  /** Settings without an equivalent that were found while reading. */
  readonly findings: readonly MigrationFinding[];
}

/** Whether the size is fixed, so that Cluster Autoscaler cannot change it. */
export function isStatic({ sizes }: Pick<SourceGroup, 'sizes'>): boolean {
  return sizes.min > 0 && sizes.min === sizes.max;
}

import type { Instant } from '@karpenter/kube/runtime';
import type { Tagged } from './tags.ts';

/** What never changes about a group. */
interface AutoScalingGroupFacts {
  readonly name: string;
  readonly templateId: string;
  readonly subnetIds: readonly string[];
  /** In order of preference; empty for the type of the template. */
  readonly instanceTypes: readonly string[];
  /** How many instances are on-demand before the percentage counts. */
  readonly onDemandBase: number;
  /** Of the instances above the base; 100 for a group without spot. */
  readonly onDemandPercentage: number;
}

/** An Auto Scaling group. Its instances are those with the tag `aws:autoscaling:groupName`. */
export interface AutoScalingGroup extends AutoScalingGroupFacts, Tagged {
  readonly createdAt: Instant;
  readonly tags: Map<string, string>;
  min: number;
  max: number;
  desired: number;
  /** Processes that do not run, such as `AZRebalance`. */
  suspended: readonly string[];
}

/** A managed node group of EKS, which owns one Auto Scaling group. */
export interface Nodegroup {
  readonly name: string;
  readonly groupName: string;
  readonly nodeRole: string;
  readonly amiType: string;
  readonly releaseVersion?: string;
  readonly diskSizeGiB?: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly NodegroupTaint[];
  /** As the last configuration of the node group has them; the group may have been changed since. */
  min: number;
  max: number;
  desired: number;
}

interface NodegroupTaint {
  readonly key: string;
  readonly value: string;
  readonly effect: 'NO_SCHEDULE' | 'NO_EXECUTE' | 'PREFER_NO_SCHEDULE';
}

/** The tag by which an instance belongs to a group. */
export const groupNameTag = 'aws:autoscaling:groupName';

/** The process that moves instances between zones. */
export const zoneRebalance = 'AZRebalance';

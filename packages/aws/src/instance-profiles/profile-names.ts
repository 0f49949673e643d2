import { fnv1Text } from '@karpenter/core/api';
import { clusterTagKey, clusterTagValue, tagKeys } from '../names/index.ts';

/** The cluster that owns a profile. */
export interface ProfileOwner {
  readonly region: string;
  readonly clusterName: string;
}

/** @param unique changes the name each time, because running nodes still use the profile being replaced */
export function profileName(
  { region, clusterName }: ProfileOwner,
  nodeClass: string,
  unique: string,
): string {
  return `${clusterName}_${fnv1Text(`${region}${nodeClass}${unique}`)}`;
}

/** Name that older releases of Karpenter used: one per class, without a unique part. */
export function legacyProfileName(owner: ProfileOwner, nodeClass: string): string {
  return profileName(owner, nodeClass, '');
}

/** IAM path of the profiles of a cluster, or of one class. */
export function profilePath({ region, clusterName }: ProfileOwner, classUid?: string): string {
  const cluster = `/karpenter/${region}/${clusterName}/`;
  return classUid === undefined ? cluster : `${cluster}${classUid}/`;
}

/** IAM's rule for names. A legacy name that violates it cannot exist, so `deleteAll` skips it. */
const iamName = /^[\w+=,.@-]{1,128}$/;

export function isIamName(name: string): boolean {
  return iamName.test(name);
}

export function profileTags(
  { region, clusterName }: ProfileOwner,
  nodeClass: string,
  tags: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    ...tags,
    [clusterTagKey(clusterName)]: clusterTagValue,
    [tagKeys.eksClusterName]: clusterName,
    [tagKeys.ec2NodeClass]: nodeClass,
    [tagKeys.region]: region,
  };
}

/** Strips the path: `path/to/role` and `role` are the same role, as names are unique within an account. */
export function roleName(role: string): string {
  return role.slice(role.lastIndexOf('/') + 1);
}

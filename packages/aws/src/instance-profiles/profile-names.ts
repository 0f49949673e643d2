import { fnv1Text } from '@karpenter/core/api';
import { clusterTagKey, clusterTagValue, tagKeys } from '../names/index.ts';

export interface ProfileOwner {
  readonly region: string;
  readonly clusterName: string;
}

/** @param unique makes the name another each time: a profile that is being replaced still serves running nodes */
export function profileName(
  { region, clusterName }: ProfileOwner,
  nodeClass: string,
  unique: string,
): string {
  return `${clusterName}_${fnv1Text(`${region}${nodeClass}${unique}`)}`;
}

/** As older releases named them: one for each class, for good. */
export function legacyProfileName(owner: ProfileOwner, nodeClass: string): string {
  return profileName(owner, nodeClass, '');
}

/** Under this path lie the profiles of a cluster, or of one class of it. */
export function profilePath({ region, clusterName }: ProfileOwner, classUid?: string): string {
  const cluster = `/karpenter/${region}/${clusterName}/`;
  return classUid === undefined ? cluster : `${cluster}${classUid}/`;
}

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

/** `path/to/role` and `role` are the same role: names are unique within an account. */
export function roleName(role: string): string {
  return role.slice(role.lastIndexOf('/') + 1);
}

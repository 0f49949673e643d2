import type { Tag } from '@aws-sdk/client-ec2';
import { clusterTagKey, clusterTagValue, tagKeys } from '../names/index.ts';

type Tags = Readonly<Record<string, string>>;

export interface TagFacts {
  readonly clusterName: string;
  readonly nodeClass: string;
  readonly nodePool: string;
  /** Tags of the class. Karpenter's own tags override them. */
  readonly tags?: Tags | undefined;
}

/**
 * Tags of instances, volumes, interfaces, fleets and launch templates at launch. They are equal for all
 * NodeClaims of a NodePool, so that the fleet requests of several NodeClaims can be batched into one.
 */
export function launchTags({ clusterName, nodeClass, nodePool, tags }: TagFacts): Record<string, string> {
  return {
    ...tags,
    [clusterTagKey(clusterName)]: clusterTagValue,
    [tagKeys.nodePool]: nodePool,
    [tagKeys.eksClusterName]: clusterName,
    [tagKeys.ec2NodeClass]: nodeClass,
  };
}

export interface InstanceTagFacts {
  readonly clusterName: string;
  readonly nodeName: string;
  readonly nodeClaim: string;
}

/** Returns the tags to add after registration. Existing tags stay, such as a Name that the user set. */
export function missingInstanceTags(
  { clusterName, nodeName, nodeClaim }: InstanceTagFacts,
  present: Tags,
): Record<string, string> {
  const wanted = {
    [tagKeys.name]: nodeName,
    [tagKeys.nodeClaim]: nodeClaim,
    [tagKeys.eksClusterName]: clusterName,
  };
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !Object.hasOwn(present, key)));
}

/** Converts tags to EC2's form, sorted by key so that equal requests serialize equally. */
export function ec2Tags(tags: Tags): Tag[] {
  return Object.keys(tags)
    .sort()
    .map((key) => ({ Key: key, Value: tags[key] ?? '' }));
}

export function tagsOf(tags: readonly Tag[] | undefined): Record<string, string> {
  return Object.fromEntries((tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
}

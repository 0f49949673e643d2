import type { Tag } from '@aws-sdk/client-ec2';
import { clusterTagKey, clusterTagValue, tagKeys } from '../names/index.ts';

type Tags = Readonly<Record<string, string>>;

export interface TagFacts {
  readonly clusterName: string;
  readonly nodeClass: string;
  readonly nodePool: string;
  /** Of the class; the product's own tags win over them. */
  readonly tags?: Tags | undefined;
}

/**
 * What instances, volumes, interfaces, fleets and launch templates are tagged with at launch. Nothing here differs
 * between two claims of a pool, so that their requests can be made as one.
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

/** What an instance is tagged with once its node has joined; a tag that it has, such as a Name of its owner's, stays. */
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

/** As EC2 writes them, in order of keys, so that equal requests are equal texts. */
export function ec2Tags(tags: Tags): Tag[] {
  return Object.keys(tags)
    .sort()
    .map((key) => ({ Key: key, Value: tags[key] ?? '' }));
}

export function tagsOf(tags: readonly Tag[] | undefined): Record<string, string> {
  return Object.fromEntries((tags ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
}

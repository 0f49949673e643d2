import { createHash } from 'node:crypto';
import {
  annotationKeys,
  labelKeys,
  type NodeClaim,
  type NodePool,
  wellKnownLabels,
} from '@karpenter/core/api';
import { fits, parseResourceList, sumResources } from '@karpenter/core/values';
import { awsAnnotationKeys, awsWellKnownLabels } from '../names/index.ts';

/**
 * Deterministic name per NodeClaim, so that a repeated create
 * fails with AlreadyExists instead of adding a second node.
 */
export function replacementName({ metadata }: NodeClaim): string {
  const suffix = createHash('sha256').update(`${metadata.name} ${metadata.uid}`).digest('hex').slice(0, 8);
  return `${metadata.labels?.[labelKeys.nodePool] ?? metadata.name}-${suffix}`;
}

/** Drift hashes; they stay valid because the replacement has the same spec. */
const keptAnnotations = [
  annotationKeys.nodePoolHash,
  annotationKeys.nodePoolHashVersion,
  awsAnnotationKeys.ec2NodeClassHash,
  awsAnnotationKeys.ec2NodeClassHashVersion,
];

/** Copies the spec of the NodeClaim, without the labels of the instance type that it got. */
export function replacementFor(claim: NodeClaim): NodeClaim {
  const { metadata, spec, apiVersion, kind } = claim;
  const { labels = {}, annotations = {}, ownerReferences = [] } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name: replacementName(claim),
      labels: pick(labels, (key) => key === labelKeys.nodePool || !describesInstance(key)),
      annotations: {
        ...pick(annotations, (key) => keptAnnotations.some((kept) => kept === key)),
        [awsAnnotationKeys.rebalanceOf]: metadata.name,
      },
      ownerReferences,
    },
    spec,
  };
}

/** Whether the limits of the NodePool allow the NodeClaim's capacity a second time. */
export function hasRoomFor({ status }: NodeClaim, { spec, status: poolStatus }: NodePool): boolean {
  const { limits } = spec;
  if (limits === undefined) return true;
  const added = parseResourceList({ ...status?.capacity, nodes: '1' });
  const used = parseResourceList({ nodes: String(poolStatus?.nodes ?? 0), ...poolStatus?.resources });
  const total = sumResources(used, added);
  const limited = Object.entries(total).filter(([name]) => Object.hasOwn(limits, name));
  return fits(Object.fromEntries(limited), parseResourceList(limits));
}

function describesInstance(key: string): boolean {
  return wellKnownLabels.has(key) || awsWellKnownLabels.has(key);
}

function pick(
  record: Readonly<Record<string, string>>,
  isKept: (key: string) => boolean,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => isKept(key)));
}

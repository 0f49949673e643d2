import { labelKeys, type NodeClaim } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { InstanceType } from '@karpenter/core/ports';
import type { PlacementGroup } from '../instance-types/index.ts';
import type { Ec2Instance } from '../instances/index.ts';
import { catalogueOf, imageFinder } from '../launchable/index.ts';
import { awsAnnotationKeys, awsDriftReasons, awsLabelKeys } from '../names/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';

/**
 * The reason for which a node has drifted, or undefined. The functions of this file throw if the facts are missing, as
 * in Karpenter: an empty list in the status of a class must not drift all of its nodes.
 */
export type Drift = (typeof awsDriftReasons)[keyof typeof awsDriftReasons] | undefined;

/** Compares the hashes of the fields that instances are launched with; only hashes of one version are comparable. */
export function staticDrift(claim: NodeClaim, nodeClass: EC2NodeClass): Drift {
  const current = hashOn(nodeClass);
  const launched = hashOn(claim);
  // All four annotations are needed. A claim of another version waits until the hash controller restamps it.
  if (current === undefined || launched === undefined || current.version !== launched.version)
    return undefined;
  return current.hash === launched.hash ? undefined : awsDriftReasons.nodeClass;
}

function hashOn({ metadata }: Pick<NodeClaim, 'metadata'>): { hash: string; version: string } | undefined {
  const hash = metadata.annotations?.[awsAnnotationKeys.ec2NodeClassHash];
  const version = metadata.annotations?.[awsAnnotationKeys.ec2NodeClassHashVersion];
  return hash === undefined || version === undefined ? undefined : { hash, version };
}

/** Drifted if a launch of the same type would use another AMI now. */
export function imageDrift(claim: NodeClaim, nodeClass: EC2NodeClass, types: readonly InstanceType[]): Drift {
  const name = claim.metadata.labels?.[labelKeys.instanceType] ?? '';
  const imageId = claim.status?.imageID ?? '';
  const catalogue = catalogueOf(types);
  const type = catalogue.types.find((each) => each.name === name);
  if (type === undefined) throw unclear(claim, `there is no instance type ${JSON.stringify(name)}`);
  const amis = listed(claim, nodeClass.status?.amis, 'images');
  if (imageId === '') throw unclear(claim, 'its status does not tell its image');
  return imageFinder(amis, catalogue)(type)?.id === imageId ? undefined : awsDriftReasons.ami;
}

export function securityGroupDrift(claim: NodeClaim, nodeClass: EC2NodeClass, instance: Ec2Instance): Drift {
  const expected = new Set(
    listed(claim, nodeClass.status?.securityGroups, 'security groups').map(({ id }) => id),
  );
  // Sets are compared, as in Karpenter: a group that somebody added to the instance is drift too.
  const actual = new Set(instance.securityGroupIds);
  const isSame = expected.size === actual.size && [...expected].every((id) => actual.has(id));
  return isSame ? undefined : awsDriftReasons.securityGroup;
}

export function subnetDrift(claim: NodeClaim, nodeClass: EC2NodeClass, instance: Ec2Instance): Drift {
  const subnets = listed(claim, nodeClass.status?.subnets, 'subnets');
  return subnets.some(({ id }) => id === instance.subnetId) ? undefined : awsDriftReasons.subnet;
}

export function reservationDrift(nodeClass: EC2NodeClass, { reservation }: Ec2Instance): Drift {
  const selected = nodeClass.status?.capacityReservations ?? [];
  const isFine = reservation === undefined || selected.some(({ id }) => id === reservation.id);
  return isFine ? undefined : awsDriftReasons.capacityReservation;
}

/** A selected group that is not found is no drift: a replacement could not be launched either. */
export function placementGroupDrift(
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
  group: PlacementGroup | undefined,
): Drift {
  if (nodeClass.spec.placementGroupSelector !== undefined && group === undefined) return undefined;
  const actual = claim.metadata.labels?.[awsLabelKeys.placementGroupId];
  return actual === group?.id ? undefined : awsDriftReasons.placementGroup;
}

function listed<T>(claim: NodeClaim, list: readonly T[] | undefined, what: string): readonly T[] {
  if (list === undefined || list.length === 0) {
    throw unclear(claim, `its EC2NodeClass ${claim.spec.nodeClassRef.name} has no ${what} in its status`);
  }
  return list;
}

function unclear({ metadata }: NodeClaim, why: string): CodedError {
  return new CodedError(
    'unresolved-node-class',
    `cannot tell whether NodeClaim ${metadata.name} has drifted: ${why}`,
    { details: { nodeClaim: metadata.name } },
  );
}

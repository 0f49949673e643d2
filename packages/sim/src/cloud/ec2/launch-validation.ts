import { instanceType, zonesOf } from '@karpenter/ec2-catalogue';
import type { Instant } from '@karpenter/kube/runtime';
import { invalidParameterValue, Refusal } from '../calls/refusal.ts';
import type { Image } from '../world/image.ts';
import type { Subnet } from '../world/subnet.ts';
import type { CloudWorld, InstanceProfile, SimulatedPlacementGroup } from '../world/world.ts';
import type { LaunchSpec } from './launch-spec.ts';
import { type InstanceTypeName, isInstanceTypeName } from './shapes.ts';

/** A launch whose image, subnet, groups, profile and placement group all exist. */
export interface ValidLaunch {
  readonly spec: LaunchSpec;
  readonly type: InstanceTypeName;
  readonly image: Image;
  readonly subnet: Subnet;
  readonly profile: InstanceProfile | undefined;
  readonly group: SimulatedPlacementGroup | undefined;
}

export interface ValidationContext {
  readonly world: CloudWorld;
  readonly now: Instant;
  /** How long after its creation EC2 does not accept an instance profile. */
  readonly profileLag: number;
}

/**
 * Resolves everything that a launch names. Throws the Refusal of EC2, in its words, for the first thing
 * wrong.
 */
export function validateLaunch(spec: LaunchSpec, context: ValidationContext): ValidLaunch {
  const { world } = context;
  const type = typeOf(spec);
  const image = imageOf(spec, world);
  const subnet = subnetOf(spec, world);
  checkArchitecture(type, image);
  checkZone(type, subnet, world);
  checkGroups(spec, subnet, world);
  checkInterfaces(spec, type);
  checkDisks(spec, image);
  const profile = profileOf(spec, context);
  const group = placementGroupOf(spec, type, world);
  return { spec, type, image, subnet, profile, group };
}

function typeOf({ type }: LaunchSpec): InstanceTypeName {
  if (isInstanceTypeName(type)) return type;
  throw invalidParameterValue(
    `Invalid value '${type}' for InstanceType. The instance type does not exist in this region.`,
  );
}

function imageOf({ imageId }: LaunchSpec, { images }: CloudWorld): Image {
  if (!/^ami-[0-9a-z]+$/.test(imageId))
    throw new Refusal('InvalidAMIID.Malformed', `Invalid id: "${imageId}"`);
  const image = images.get(imageId);
  if (image === undefined) {
    throw new Refusal('InvalidAMIID.NotFound', `The image id '[${imageId}]' does not exist`);
  }
  if (image.state === 'available') return image;
  throw new Refusal('InvalidAMIID.Unavailable', `The image ID '${imageId}' is no longer available`);
}

/** Without a subnet EC2 uses the default VPC; the simulated account has none. */
function subnetOf({ subnetId }: LaunchSpec, { subnets }: CloudWorld): Subnet {
  if (subnetId === undefined) {
    throw new Refusal('MissingInput', 'No subnets found for the default VPC. Please specify a subnet.');
  }
  const subnet = subnets.get(subnetId);
  if (subnet !== undefined) return subnet;
  throw new Refusal('InvalidSubnetID.NotFound', `The subnet ID '${subnetId}' does not exist`);
}

function checkArchitecture(type: string, { architecture }: Image): void {
  const supported = instanceType(type)?.ProcessorInfo.SupportedArchitectures ?? [];
  if (supported.includes(architecture)) return;
  throw invalidParameterValue(
    `The architecture '${supported.join(',')}' of the specified instance type does not match the architecture '${architecture}' of the specified AMI. Specify an instance type and an AMI that have matching architectures, and try again.`,
  );
}

function checkZone(type: string, subnet: Subnet, { region }: CloudWorld): void {
  if (zonesOf(type, region).some(({ name }) => name === subnet.zone)) return;
  throw new Refusal(
    'Unsupported',
    `Your requested instance type (${type}) is not supported in your requested Availability Zone (${subnet.zone}).`,
  );
}

function checkGroups({ interfaces }: LaunchSpec, subnet: Subnet, { securityGroups }: CloudWorld): void {
  for (const id of new Set(interfaces.flatMap(({ groups }) => groups))) {
    const group = securityGroups.get(id);
    if (group === undefined) {
      throw new Refusal('InvalidGroup.NotFound', `The security group '${id}' does not exist`);
    }
    if (group.vpcId === subnet.vpcId) continue;
    throw new Refusal(
      'InvalidParameter',
      `Security group ${id} and subnet ${subnet.id} belong to different networks.`,
    );
  }
}

function checkInterfaces({ interfaces }: LaunchSpec, type: string): void {
  const network = instanceType(type)?.NetworkInfo;
  const cards = network?.MaximumNetworkCards ?? 1;
  const efas = interfaces.filter((each) => each.type.startsWith('efa')).length;
  if (interfaces.some(({ card }) => card >= cards)) {
    throw invalidParameterValue(`Network card index is not valid for instance type ${type}`);
  }
  for (const { NetworkCardIndex, MaximumNetworkInterfaces } of network?.NetworkCards ?? []) {
    const count = interfaces.filter(({ card }) => card === NetworkCardIndex).length;
    if (count <= MaximumNetworkInterfaces) continue;
    throw new Refusal('AttachmentLimitExceeded', `Interface count ${count} exceeds the limit for ${type}`);
  }
  if (efas > (network?.EfaInfo?.MaximumEfaInterfaces ?? 0)) {
    throw new Refusal('Unsupported', `EFA interfaces are not supported on ${type}`);
  }
}

function checkDisks({ disks }: LaunchSpec, image: Image): void {
  for (const { device, sizeGiB } of disks) {
    const minSize = image.disks[device] ?? 0;
    if (sizeGiB === undefined || sizeGiB >= minSize) continue;
    throw new Refusal(
      'InvalidBlockDeviceMapping',
      `Volume of size ${sizeGiB}GB is smaller than snapshot 'snap-${image.id.slice('ami-'.length)}', expect size>= ${minSize}GB`,
    );
  }
}

function profileOf(
  { profileName, profileArn }: LaunchSpec,
  { world, now, profileLag }: ValidationContext,
): InstanceProfile | undefined {
  const name = profileName ?? profileArn?.split('/').at(-1);
  if (name === undefined) return undefined;
  const profile = world.instanceProfiles.get(name);
  // IAM is eventually consistent: EC2 rejects a profile that was just created, and controllers must retry.
  if (profile !== undefined && profile.createdAt + profileLag <= now) return profile;
  const [field, value] = profileName === undefined ? ['arn', profileArn] : ['name', profileName];
  throw invalidParameterValue(
    `Value (${value}) for parameter iamInstanceProfile.${field} is invalid. Invalid IAM Instance Profile ${field === 'arn' ? 'ARN' : 'name'}`,
  );
}

function placementGroupOf(
  { placement }: LaunchSpec,
  type: string,
  { placementGroups }: CloudWorld,
): SimulatedPlacementGroup | undefined {
  const { groupId, groupName, partition } = placement;
  if (groupId === undefined && groupName === undefined) return undefined;
  const group = [...placementGroups.values()].find(({ id, name }) => id === groupId || name === groupName);
  if (group === undefined) {
    throw new Refusal(
      'InvalidPlacementGroup.Unknown',
      `The Placement Group '${groupId ?? groupName}' is unknown.`,
    );
  }
  const strategies = instanceType(type)?.PlacementGroupInfo.SupportedStrategies ?? [];
  if (!strategies.includes(group.strategy)) {
    throw invalidParameterValue(
      `${capitalized(group.strategy)} placement groups are not supported by the '${type}' instance type.`,
    );
  }
  if (partition !== undefined && (partition < 1 || partition > (group.partitions ?? 0))) {
    throw invalidParameterValue('The specified partition number is not valid for the placement group.');
  }
  return group;
}

function capitalized(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

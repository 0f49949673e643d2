import { invalidParameterValue, missingParameter, Refusal } from '../calls/refusal.ts';
import type { InstancePlacement, ReservationPreference } from '../world/instance.ts';
import type { CloudWorld, LaunchTemplate } from '../world/world.ts';
import type { InputOf, LaunchTemplateData } from './shapes.ts';

/** A requested launch: a launch template with the overrides of the call, not validated yet. */
export interface LaunchSpec {
  readonly type: string;
  readonly imageId: string;
  readonly subnetId: string | undefined;
  readonly userData: string;
  readonly profileName: string | undefined;
  readonly profileArn: string | undefined;
  readonly interfaces: readonly InterfaceSpec[];
  readonly disks: readonly DiskSpec[];
  readonly placement: InstancePlacement;
  readonly reservationPreference: ReservationPreference | undefined;
  readonly reservationId: string | undefined;
  readonly marketType: string | undefined;
  readonly isMonitored: boolean;
  readonly metadataHopLimit: number | undefined;
  readonly tagSpecifications: LaunchTemplateData['TagSpecifications'];
}

interface InterfaceSpec {
  readonly card: number;
  readonly device: number;
  readonly type: string;
  readonly groups: readonly string[];
  readonly prefixes: number;
}

interface DiskSpec {
  readonly device: string;
  readonly sizeGiB: number | undefined;
}

export interface TemplateReference {
  readonly LaunchTemplateId?: string | undefined;
  readonly LaunchTemplateName?: string | undefined;
  readonly Version?: string | undefined;
}

/**
 * The launch template that a request references. Throws as EC2 does if it is unknown or has no such version;
 * every template has exactly one version.
 */
export function templateOf(world: CloudWorld, reference: TemplateReference | undefined): LaunchTemplate {
  const { LaunchTemplateId: id, LaunchTemplateName: name, Version: version } = reference ?? {};
  if (id === undefined && name === undefined)
    throw missingParameter('LaunchTemplateId or LaunchTemplateName');
  if (id !== undefined && name !== undefined) {
    throw new Refusal(
      'InvalidParameterCombination',
      'The parameters launchTemplateId and launchTemplateName may not be used together',
    );
  }
  const found = [...world.launchTemplates.values()].find((template) =>
    id === undefined ? template.name === name : template.id === id,
  );
  if (found === undefined) throw templateNotFound({ id, name });
  checkVersion(found, version);
  return found;
}

export function templateNotFound(wanted: { id?: string | undefined; name?: string | undefined }): Refusal {
  return wanted.id === undefined
    ? new Refusal(
        'InvalidLaunchTemplateName.NotFoundException',
        `The specified launch template, with template name ${wanted.name}, does not exist.`,
      )
    : new Refusal(
        'InvalidLaunchTemplateId.NotFound',
        `The specified launch template, with template ID ${wanted.id}, does not exist.`,
      );
}

function checkVersion({ id }: LaunchTemplate, version: string | undefined): void {
  if (version === undefined || version === '$Latest' || version === '$Default' || version === '1') return;
  throw new Refusal(
    'InvalidLaunchTemplateId.VersionNotFound',
    `Could not find launch template version ${version} for launch template ${id}`,
  );
}

export interface SpecOverrides {
  readonly type?: string | undefined;
  readonly imageId?: string | undefined;
  readonly subnetId?: string | undefined;
}

export function specOf(data: LaunchTemplateData, overrides: SpecOverrides = {}): LaunchSpec {
  const type = overrides.type ?? data.InstanceType;
  const imageId = overrides.imageId ?? data.ImageId;
  if (type === undefined) throw missingParameter('InstanceType');
  if (imageId === undefined) throw missingParameter('ImageId');
  const interfaces = data.NetworkInterfaces ?? [];
  const reservation = data.CapacityReservationSpecification;
  return {
    type,
    imageId,
    subnetId: overrides.subnetId ?? interfaces.find(({ SubnetId }) => SubnetId !== undefined)?.SubnetId,
    userData: data.UserData ?? '',
    profileName: data.IamInstanceProfile?.Name,
    profileArn: data.IamInstanceProfile?.Arn,
    interfaces: interfacesOf(data),
    disks: (data.BlockDeviceMappings ?? []).map(({ DeviceName = '', Ebs }) => ({
      device: DeviceName,
      sizeGiB: Ebs?.VolumeSize,
    })),
    placement: placementOf(data),
    reservationPreference: reservation?.CapacityReservationPreference,
    reservationId: reservation?.CapacityReservationTarget?.CapacityReservationId,
    marketType: data.InstanceMarketOptions?.MarketType,
    isMonitored: data.Monitoring?.Enabled ?? false,
    metadataHopLimit: data.MetadataOptions?.HttpPutResponseHopLimit,
    tagSpecifications: data.TagSpecifications,
  };
}

function interfacesOf(data: LaunchTemplateData): readonly InterfaceSpec[] {
  const requested = data.NetworkInterfaces ?? [];
  if (requested.length === 0) {
    return [{ card: 0, device: 0, type: 'interface', groups: data.SecurityGroupIds ?? [], prefixes: 0 }];
  }
  if ((data.SecurityGroupIds ?? []).length > 0) {
    throw new Refusal(
      'InvalidParameterCombination',
      'Network interfaces and an instance-level security groups may not be specified on the same request',
    );
  }
  return requested.map((each) => ({
    card: each.NetworkCardIndex ?? 0,
    device: each.DeviceIndex ?? 0,
    type: each.InterfaceType ?? 'interface',
    groups: each.Groups ?? [],
    prefixes: each.Ipv4PrefixCount ?? 0,
  }));
}

function placementOf({ Placement: placement }: LaunchTemplateData): InstancePlacement {
  return {
    tenancy: placement?.Tenancy ?? 'default',
    ...(placement?.GroupId !== undefined && { groupId: placement.GroupId }),
    ...(placement?.GroupName !== undefined && { groupName: placement.GroupName }),
    ...(placement?.PartitionNumber !== undefined && { partition: placement.PartitionNumber }),
  };
}

/** The launch that RunInstances requests; parameters of the call override its launch template. */
export function runSpecOf(world: CloudWorld, input: InputOf<'runInstances'>): LaunchSpec {
  const base = input.LaunchTemplate === undefined ? {} : templateOf(world, input.LaunchTemplate).data;
  const requested = input.NetworkInterfaces ?? [];
  const merged: LaunchTemplateData = {
    ...base,
    ...(input.IamInstanceProfile !== undefined && { IamInstanceProfile: input.IamInstanceProfile }),
    ...(input.MetadataOptions !== undefined && { MetadataOptions: input.MetadataOptions }),
    ...(input.UserData !== undefined && { UserData: input.UserData }),
    ...(input.SecurityGroupIds !== undefined && { SecurityGroupIds: input.SecurityGroupIds }),
    ...(requested.length > 0 && { NetworkInterfaces: mergedInterfaces(base, requested) }),
  };
  const subnetId = input.SubnetId ?? requested.find(({ SubnetId }) => SubnetId !== undefined)?.SubnetId;
  return specOf(merged, { type: input.InstanceType, imageId: input.ImageId, subnetId });
}

/**
 * Matches interfaces by device and card index; those of the request inherit what they leave out from the
 * template.
 */
function mergedInterfaces(
  base: LaunchTemplateData,
  requested: NonNullable<InputOf<'runInstances'>['NetworkInterfaces']>,
): NonNullable<LaunchTemplateData['NetworkInterfaces']> {
  const known = base.NetworkInterfaces ?? [];
  return requested.map((each) => {
    const same = known.find(
      ({ DeviceIndex = 0, NetworkCardIndex = 0 }) =>
        DeviceIndex === (each.DeviceIndex ?? 0) && NetworkCardIndex === (each.NetworkCardIndex ?? 0),
    );
    const groups = each.Groups ?? same?.Groups;
    const { SubnetId, InterfaceType } = each;
    return {
      ...same,
      DeviceIndex: each.DeviceIndex ?? 0,
      ...(each.NetworkCardIndex !== undefined && { NetworkCardIndex: each.NetworkCardIndex }),
      ...(SubnetId !== undefined && { SubnetId }),
      ...(InterfaceType !== undefined && { InterfaceType }),
      ...(groups !== undefined && { Groups: groups }),
    };
  });
}

export function userDataTooLarge(userData: string | undefined): Refusal | undefined {
  const size = Buffer.from(userData ?? '', 'base64').length;
  return size > userDataLimit
    ? new Refusal('InvalidUserData.Malformed', `User data is limited to ${userDataLimit} bytes`)
    : undefined;
}

/** The limit of EC2, in bytes before base64. */
const userDataLimit = 16_384;

export function malformedUserData(userData: string | undefined): Refusal | undefined {
  return userData === undefined || /^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/.test(userData)
    ? undefined
    : invalidParameterValue('Invalid BASE64 encoding of user data.');
}

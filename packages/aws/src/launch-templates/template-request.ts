import type {
  CreateLaunchTemplateCommandInput,
  LaunchTemplateTagSpecificationRequest,
  RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { capacityTypes } from '@karpenter/core/api';
import { ec2Tags } from '../tags/index.ts';
import { userDataFor } from '../user-data/index.ts';
import { blockDeviceRequests, withoutUndefined } from './block-devices.ts';
import { isIpv6, networkInterfaceRequests } from './network-interfaces.ts';
import { launchTemplateName, type TemplateOptions } from './template-options.ts';

/** Regions whose instance metadata service does not support IPv6 and rejects the field. */
const regionsWithoutMetadataIpv6 = new Set([
  'us-iso-east-1',
  'us-iso-west-1',
  'us-isob-east-1',
  'us-isob-west-1',
  'us-isof-south-1',
  'us-isof-east-1',
]);

/** Builds the CreateLaunchTemplate request, with user data in base64. */
export function createTemplateRequest(
  options: TemplateOptions,
  onUnknownSetting?: (path: string) => void,
): CreateLaunchTemplateCommandInput {
  return {
    LaunchTemplateName: launchTemplateName(options),
    LaunchTemplateData: templateData(
      options,
      userDataFor(options.family, options.bootstrap, onUnknownSetting),
    ),
    TagSpecifications: [{ ResourceType: 'launch-template', Tags: ec2Tags(options.tags) }],
  };
}

function templateData(options: TemplateOptions, userData: string): RequestLaunchTemplateData {
  const { cpuOptions } = options;
  return withoutUndefined({
    BlockDeviceMappings: blockDeviceRequests(options.blockDeviceMappings),
    CpuOptions:
      cpuOptions?.nestedVirtualization === undefined
        ? undefined
        : { NestedVirtualization: cpuOptions.nestedVirtualization },
    IamInstanceProfile: { Name: options.instanceProfile },
    Monitoring: { Enabled: options.detailedMonitoring },
    UserData: Buffer.from(userData).toString('base64'),
    ImageId: options.imageId,
    MetadataOptions: metadataOptions(options),
    NetworkInterfaces: networkInterfaceRequests(options),
    Placement: placement(options),
    EnclaveOptions: { Enabled: options.enclave },
    TagSpecifications: tagSpecifications(options),
    CapacityReservationSpecification: reservationSpecification(options),
    InstanceMarketOptions: marketOptions(options),
  });
}

function metadataOptions(options: TemplateOptions): RequestLaunchTemplateData['MetadataOptions'] {
  // Karpenter's values for classes that did not pass the API server, whose CRD has other defaults.
  const chosen = options.metadataOptions ?? {
    httpEndpoint: 'disabled',
    httpProtocolIPv6: isIpv6(options) ? 'enabled' : 'disabled',
    httpPutResponseHopLimit: 2,
    httpTokens: 'required',
  };
  return withoutUndefined({
    HttpEndpoint: chosen.httpEndpoint,
    HttpProtocolIpv6: regionsWithoutMetadataIpv6.has(options.region) ? undefined : chosen.httpProtocolIPv6,
    HttpPutResponseHopLimit: chosen.httpPutResponseHopLimit,
    HttpTokens: chosen.httpTokens,
    InstanceMetadataTags: 'disabled' as const,
  });
}

function placement({ tenancy, placement: group }: TemplateOptions): RequestLaunchTemplateData['Placement'] {
  return withoutUndefined({
    Tenancy: tenancy,
    GroupId: group?.groupId,
    PartitionNumber: group?.partition === undefined ? undefined : Number(group.partition),
  });
}

/** Resources that the template tags. The fleet request tags instances and volumes. */
function tagSpecifications({ tags, capacityType }: TemplateOptions): LaunchTemplateTagSpecificationRequest[] {
  // The controller policy lets EC2 create these resources only with the tags of the cluster.
  const resourceTypes =
    capacityType === capacityTypes.spot
      ? (['network-interface', 'spot-instances-request'] as const)
      : (['network-interface'] as const);
  return resourceTypes.map((type) => ({ ResourceType: type, Tags: ec2Tags(tags) }));
}

/**
 * With the ReservedCapacity gate, launches without a target opt out of reservations: otherwise EC2 would
 * place them in open ones and take capacity that the planner counts on.
 */
function reservationSpecification({
  reservations,
}: TemplateOptions): RequestLaunchTemplateData['CapacityReservationSpecification'] {
  if (reservations === undefined) return undefined;
  const { target } = reservations;
  if (target === undefined) return { CapacityReservationPreference: 'none' };
  return {
    CapacityReservationPreference: 'capacity-reservations-only',
    CapacityReservationTarget: { CapacityReservationId: target.id },
  };
}

/**
 * Capacity blocks and interruptible reservations need a market type; other reservations must not have one.
 */
function marketOptions({
  reservations,
}: TemplateOptions): RequestLaunchTemplateData['InstanceMarketOptions'] {
  const target = reservations?.target;
  if (target?.type === 'capacity-block') return { MarketType: 'capacity-block' };
  return target?.interruptible === true ? { MarketType: 'interruptible-capacity-reservation' } : undefined;
}

import { instanceType } from '@karpenter/ec2-catalogue';
import { type Instance, type InstanceNetworkInterface, stateCodes } from '../world/instance.ts';
import { tagList } from '../world/tags.ts';
import type { CloudWorld } from '../world/world.ts';
import type { DescribedInstance, DescribedStatus, ItemOf } from './shapes.ts';

/**
 * An instance in the shape of DescribeInstances. Like EC2, a terminated instance shows neither addresses nor
 * disks nor interfaces.
 */
export function describeInstance(instance: Instance, world: CloudWorld): DescribedInstance {
  const isGone = instance.state === 'terminated';
  return {
    InstanceId: instance.id,
    ImageId: instance.imageId,
    State: { Code: stateCodes[instance.state], Name: instance.state },
    PrivateDnsName: isGone ? '' : instance.privateDnsName,
    PublicDnsName: '',
    StateTransitionReason: transitionReason(instance),
    ...(instance.stateReason !== undefined && {
      StateReason: { Code: instance.stateReason, Message: instance.stateReason },
    }),
    AmiLaunchIndex: 0,
    InstanceType: instance.type,
    LaunchTime: new Date(instance.launchedAt),
    Placement: placementOf(instance),
    MetadataOptions: {
      State: 'applied',
      HttpEndpoint: 'enabled',
      HttpTokens: 'required',
      HttpPutResponseHopLimit: instance.metadataHopLimit ?? defaultHopLimit,
    },
    Monitoring: { State: instance.isMonitored ? 'enabled' : 'disabled' },
    Architecture: instance.architecture,
    Hypervisor: 'xen',
    VirtualizationType: 'hvm',
    EbsOptimized: false,
    EnaSupport: true,
    RootDeviceName: instance.rootDevice,
    RootDeviceType: 'ebs',
    ClientToken: instance.clientToken,
    Tags: tagList(instance.tags),
    CpuOptions: { CoreCount: Math.ceil(vcpusOf(instance) / 2), ThreadsPerCore: 2 },
    BlockDeviceMappings: isGone ? [] : disksOf(instance),
    SecurityGroups: isGone ? [] : groupsOf(instance, world),
    NetworkInterfaces: isGone
      ? []
      : instance.interfaces.map((each) => describeInterface(each, instance, world)),
    ...(!isGone && {
      PrivateIpAddress: instance.privateIp,
      SubnetId: instance.subnetId,
      VpcId: instance.vpcId,
    }),
    ...(instance.profileArn !== undefined && { IamInstanceProfile: { Arn: instance.profileArn } }),
    ...(instance.isWindows && { Platform: 'Windows' }),
    ...marketOf(instance, world),
  };
}

/** EC2's default for instances that set none. */
const defaultHopLimit = 1;

function vcpusOf({ type }: Instance): number {
  return instanceType(type)?.VCpuInfo.DefaultVCpus ?? 1;
}

function transitionReason({ stateReason, terminatedAt }: Instance): string {
  if (stateReason === undefined) return '';
  const at =
    terminatedAt === undefined
      ? ''
      : ` (${new Date(terminatedAt).toISOString().slice(0, 19).replace('T', ' ')} GMT)`;
  return stateReason === 'Client.UserInitiatedShutdown' ? `User initiated${at}` : `Service initiated${at}`;
}

function placementOf({ zone, zoneId, placement }: Instance): NonNullable<DescribedInstance['Placement']> {
  const { tenancy, groupId, groupName, partition } = placement;
  return {
    AvailabilityZone: zone,
    AvailabilityZoneId: zoneId,
    Tenancy: tenancy,
    GroupName: groupName ?? '',
    ...(groupId !== undefined && { GroupId: groupId }),
    ...(partition !== undefined && { PartitionNumber: partition }),
  };
}

/** The fields that say how the instance is billed: lifecycle, spot request and capacity reservation. */
function marketOf(instance: Instance, world: CloudWorld): DescribedInstance {
  const { spotRequestId, capacityReservationId: id, reservationPreference: preference } = instance;
  const reservation = world.capacityReservations.get(id ?? '')?.facts;
  return {
    ...(spotRequestId !== undefined && { SpotInstanceRequestId: spotRequestId, InstanceLifecycle: 'spot' }),
    ...(reservation?.reservationType === 'capacity-block' && { InstanceLifecycle: 'capacity-block' }),
    ...(reservation?.isInterruptible === true && {
      InstanceLifecycle: 'interruptible-capacity-reservation',
    }),
    ...(id !== undefined && { CapacityReservationId: id }),
    CapacityReservationSpecification: {
      CapacityReservationPreference: preference ?? 'open',
      ...(preference === 'capacity-reservations-only' &&
        id !== undefined && { CapacityReservationTarget: { CapacityReservationId: id } }),
    },
  };
}

function disksOf({ disks, launchedAt }: Instance): DescribedInstance['BlockDeviceMappings'] {
  return disks.map(({ device, volumeId }) => ({
    DeviceName: device,
    Ebs: {
      VolumeId: volumeId,
      Status: 'attached',
      AttachTime: new Date(launchedAt),
      DeleteOnTermination: true,
    },
  }));
}

function groupsOf({ interfaces }: Pick<Instance, 'interfaces'>, { securityGroups }: CloudWorld) {
  const ids = new Set(interfaces.flatMap(({ groups }) => groups));
  return [...ids].map((id) => ({ GroupId: id, GroupName: securityGroups.get(id)?.name ?? '' }));
}

function describeInterface(
  each: InstanceNetworkInterface,
  { subnetId, vpcId, privateDnsName, launchedAt }: Instance,
  world: CloudWorld,
): ItemOf<DescribedInstance['NetworkInterfaces']> {
  const [address] = each.lease.addresses;
  return {
    NetworkInterfaceId: each.id,
    InterfaceType: each.type,
    OwnerId: world.accountId,
    Status: 'in-use',
    SubnetId: subnetId,
    VpcId: vpcId,
    Groups: groupsOf({ interfaces: [each] }, world),
    Attachment: {
      DeviceIndex: each.device,
      NetworkCardIndex: each.card,
      Status: 'attached',
      AttachTime: new Date(launchedAt),
      DeleteOnTermination: true,
    },
    ...(address !== undefined && {
      PrivateIpAddress: address,
      PrivateDnsName: privateDnsName,
      PrivateIpAddresses: [{ Primary: true, PrivateIpAddress: address, PrivateDnsName: privateDnsName }],
    }),
  };
}

/** An instance in the shape of DescribeInstanceStatus. */
export function statusOf(instance: Instance): DescribedStatus {
  const { health, state, zone, zoneId, id, events } = instance;
  return {
    InstanceId: id,
    AvailabilityZone: zone,
    AvailabilityZoneId: zoneId,
    InstanceState: { Code: stateCodes[state], Name: state },
    InstanceStatus: summary(health.instanceImpairedSince),
    SystemStatus: summary(health.systemImpairedSince),
    Events: events.map(({ id: eventId, code, description, notBefore }) => ({
      InstanceEventId: eventId,
      Code: code,
      Description: description,
      NotBefore: new Date(notBefore),
    })),
  };
}

function summary(impairedSince: number | undefined): DescribedStatus['InstanceStatus'] {
  return impairedSince === undefined
    ? { Status: 'ok', Details: [{ Name: 'reachability', Status: 'passed' }] }
    : {
        Status: 'impaired',
        Details: [{ Name: 'reachability', Status: 'failed', ImpairedSince: new Date(impairedSince) }],
      };
}

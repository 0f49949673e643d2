import type { Instance as DescribedInstance } from '@aws-sdk/client-ec2';
import { type CapacityType, capacityTypes } from '@karpenter/core/api';
import { tagsOf } from '../tags/index.ts';

/** An EC2 instance, with the fields that Karpenter uses. */
export interface Ec2Instance {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  /** In milliseconds since 1970. */
  readonly launchTime: number;
  readonly imageId: string;
  readonly zone: string;
  readonly zoneId?: string | undefined;
  readonly capacityType: CapacityType;
  readonly tenancy: string;
  readonly subnetId?: string | undefined;
  readonly securityGroupIds: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  /** Number of EFA interfaces. */
  readonly efaCount: number;
  readonly reservation?: InstanceReservation | undefined;
  readonly placementGroupId?: string | undefined;
  /** Undefined until EC2 reports it. */
  readonly partition?: string | undefined;
  /** A launch in progress may be about to assign it to its claim, so it is not garbage. */
  readonly mayBeAwaited?: boolean | undefined;
}

interface InstanceReservation {
  readonly id: string;
  readonly type: 'default' | 'capacity-block';
  readonly interruptible: boolean;
}

const terminatingStates: ReadonlySet<string> = new Set(['shutting-down', 'terminated']);

export function isTerminating({ state }: Pick<Ec2Instance, 'state'>): boolean {
  return terminatingStates.has(state);
}

/** @param reservedCapacity whether the gate ReservedCapacity is on */
export function instanceFromEc2(described: DescribedInstance, reservedCapacity: boolean): Ec2Instance {
  const { Placement: placement, NetworkInterfaces: interfaces = [] } = described;
  const reservation = reservedCapacity ? reservationOf(described) : undefined;
  // 0 counts as unknown, as in Karpenter.
  const partition = placement?.PartitionNumber ?? 0;
  return {
    id: described.InstanceId ?? '',
    type: described.InstanceType ?? '',
    state: described.State?.Name ?? '',
    launchTime: described.LaunchTime?.getTime() ?? 0,
    imageId: described.ImageId ?? '',
    zone: placement?.AvailabilityZone ?? '',
    zoneId: placement?.AvailabilityZoneId,
    capacityType: capacityTypeOf(described, reservation),
    tenancy: placement?.Tenancy || 'default',
    subnetId: described.SubnetId,
    securityGroupIds: (described.SecurityGroups ?? []).flatMap(({ GroupId: id }) => id ?? []),
    tags: tagsOf(described.Tags),
    efaCount: interfaces.filter(({ InterfaceType: type }) => type === 'efa' || type === 'efa-only').length,
    reservation,
    placementGroupId: placement?.GroupId,
    partition: partition === 0 ? undefined : String(partition),
  };
}

/**
 * Only instances that were launched for their reservation are reserved, as in Karpenter. One that EC2 placed into an
 * open reservation is on-demand: it stays when the reservation ends.
 */
function reservationOf(described: DescribedInstance): InstanceReservation | undefined {
  const preference = described.CapacityReservationSpecification?.CapacityReservationPreference;
  const id = described.CapacityReservationId;
  if (id === undefined || preference !== 'capacity-reservations-only') return undefined;
  return {
    id,
    type: described.InstanceLifecycle === 'capacity-block' ? 'capacity-block' : 'default',
    interruptible: described.InstanceLifecycle === 'interruptible-capacity-reservation',
  };
}

function capacityTypeOf(
  { SpotInstanceRequestId }: DescribedInstance,
  reservation: InstanceReservation | undefined,
): CapacityType {
  if (SpotInstanceRequestId !== undefined) return capacityTypes.spot;
  return reservation === undefined ? capacityTypes.onDemand : capacityTypes.reserved;
}

import type { CapacityType } from '@karpenter/core/api';
import type { Instant } from '@karpenter/kube/runtime';
import type { Pool } from '../capacity/capacity-pools.ts';
import type { InstanceTypeName } from '../ec2/shapes.ts';
import type { Architecture } from './image.ts';
import type { AddressLease } from './subnet.ts';

export type InstanceStateName =
  | 'pending'
  | 'running'
  | 'shutting-down'
  | 'terminated'
  | 'stopping'
  | 'stopped';

export const stateCodes: Readonly<Record<InstanceStateName, number>> = {
  pending: 0,
  running: 16,
  'shutting-down': 32,
  terminated: 48,
  stopping: 64,
  stopped: 80,
};

export interface InstanceNetworkInterface {
  readonly id: string;
  readonly card: number;
  readonly device: number;
  readonly type: string;
  readonly groups: readonly string[];
  readonly lease: AddressLease;
}

export type EventCode =
  | 'instance-reboot'
  | 'system-reboot'
  | 'system-maintenance'
  | 'instance-retirement'
  | 'instance-stop';

interface ScheduledEvent {
  readonly id: string;
  readonly code: EventCode;
  readonly description: string;
  readonly notBefore: Instant;
}

export interface Disk {
  readonly device: string;
  readonly volumeId: string;
  readonly sizeGiB: number;
}

export interface InstancePlacement {
  readonly tenancy: 'default' | 'dedicated' | 'host';
  readonly groupId?: string;
  readonly groupName?: string;
  readonly partition?: number;
}

export type ReservationPreference = 'capacity-reservations-only' | 'open' | 'none';

/** Since when each of the two EC2 status checks fails; absent while it passes. */
interface Health {
  instanceImpairedSince?: Instant;
  systemImpairedSince?: Instant;
}

/** What never changes about an instance. */
export interface InstanceFacts {
  readonly id: string;
  readonly sequence: number;
  readonly reservationId: string;
  readonly type: InstanceTypeName;
  readonly imageId: string;
  readonly architecture: Architecture;
  readonly isWindows: boolean;
  readonly subnetId: string;
  readonly vpcId: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly capacityType: CapacityType;
  /** The pool that the instance is counted in; absent for an instance in a capacity reservation. */
  readonly pool?: Pool;
  readonly launchedAt: Instant;
  /** When describe calls start to show it; EC2 is eventually consistent. */
  readonly visibleAt: Instant;
  readonly interfaces: readonly InstanceNetworkInterface[];
  readonly privateIp: string;
  readonly privateDnsName: string;
  readonly disks: readonly Disk[];
  readonly rootDevice: string;
  readonly userData: string;
  readonly profileArn?: string;
  readonly profileName?: string;
  readonly placement: InstancePlacement;
  readonly reservationPreference?: ReservationPreference;
  readonly spotRequestId?: string;
  readonly fleetId?: string;
  readonly isMonitored: boolean;
  /** `HttpPutResponseHopLimit` of the metadata service; absent for EC2's default. */
  readonly metadataHopLimit?: number;
  readonly clientToken: string;
}

/** An instance with its mutable part. A new mutable field must also be added to saved-instance.ts. */
export interface Instance extends InstanceFacts {
  readonly tags: Map<string, string>;
  readonly health: Health;
  readonly events: ScheduledEvent[];
  capacityReservationId?: string;
  /** Addresses that the network plugin leased for pods. */
  podAddresses?: AddressLease;
  state: InstanceStateName;
  stateReason?: string;
  terminatedAt?: Instant;
  /** When EC2 will interrupt it; set with the interruption warning. */
  interruptionAt?: Instant;
  /** When EC2 recommended to rebalance it. */
  rebalanceNoticeAt?: Instant;
}

/** Whether EC2 has not begun to shut it down. */
export function isAlive({ state }: Instance): boolean {
  return state === 'pending' || state === 'running';
}

/** Whether it still uses capacity and quota, which it holds until it is terminated. */
export function isHolding({ state }: Instance): boolean {
  return state !== 'terminated';
}

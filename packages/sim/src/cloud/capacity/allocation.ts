import type { CapacityType } from '@karpenter/core/api';
import { instanceType } from '@karpenter/ec2-catalogue';
import type { Clock } from '@karpenter/kube/runtime';
import { Refusal } from '../calls/refusal.ts';
import type { ValidLaunch } from '../ec2/launch-validation.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { CapacityReservation } from '../world/capacity-reservation.ts';
import { type Instance, isHolding } from '../world/instance.ts';
import type { AddressLease } from '../world/subnet.ts';
import type { CloudWorld } from '../world/world.ts';
import type { CapacityPools, Pool } from './capacity-pools.ts';
import { type SavedQuotas, VcpuQuotas } from './vcpu-quotas.ts';

/** The capacity and addresses that an instance holds until it is terminated. */
export interface Allocation {
  readonly capacityType: CapacityType;
  readonly pool?: Pool;
  readonly reservation?: CapacityReservation;
  /** One per network interface, in the order of the launch. */
  readonly leases: readonly AddressLease[];
}

export interface AllocatorOptions {
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly faults: FaultBoard;
  readonly pools: CapacityPools;
  readonly saved?: SavedQuotas | undefined;
}

/** Instances per zone that EC2 allows in a spread placement group. */
const spreadLimit = 7;
/** A /28 prefix. */
const addressesPerPrefix = 16;

/** Allocates vCPU quota, capacity and addresses for an instance: all of them or none. */
export class Allocator {
  readonly #options: AllocatorOptions;
  readonly quotas: VcpuQuotas;

  constructor(options: AllocatorOptions) {
    this.#options = options;
    this.quotas = new VcpuQuotas(options.saved);
  }

  /** Throws EC2's error, and allocates nothing, if quota, capacity or addresses are missing. */
  allocate(launch: ValidLaunch, market: 'on-demand' | 'spot'): Allocation {
    const { faults, pools } = this.#options;
    this.#checkMarket(launch, market);
    this.#checkSpread(launch);
    this.quotas.take(launch.type, market, faults.current.quotas);
    try {
      const room = this.#room(launch, market);
      try {
        return { ...room, leases: leaseAll(launch) };
      } catch (error) {
        if (room.pool !== undefined) pools.giveBack(room.pool);
        room.reservation?.giveBack();
        throw error;
      }
    } catch (error) {
      this.quotas.giveBack(launch.type, market);
      throw error;
    }
  }

  /** Returns everything that `allocate` and `leasePodAddresses` took for the instance. */
  release(instance: Instance): void {
    const { world, pools } = this.#options;
    if (instance.pool !== undefined) pools.giveBack(instance.pool);
    else world.capacityReservations.get(instance.capacityReservationId ?? '')?.giveBack();
    this.quotas.giveBack(instance.type, instance.capacityType === 'spot' ? 'spot' : 'on-demand');
    const subnet = world.subnets.get(instance.subnetId);
    for (const { lease } of instance.interfaces) subnet?.giveBack(lease);
    if (instance.podAddresses !== undefined) subnet?.giveBack(instance.podAddresses);
  }

  /** Leases further addresses for the pods of an instance; false if the subnet has too few. */
  leasePodAddresses(instance: Instance, count: number): boolean {
    const lease = this.#options.world.subnets.get(instance.subnetId)?.lease(count);
    if (lease === undefined) return false;
    const addresses = [...(instance.podAddresses?.addresses ?? []), ...lease.addresses];
    instance.podAddresses = { addresses };
    return true;
  }

  #checkMarket({ type }: ValidLaunch, market: 'on-demand' | 'spot'): void {
    const { faults } = this.#options;
    if (market === 'on-demand') return;
    if (faults.current.spot.serviceLinkedRole === 'missing') {
      throw new Refusal(
        'AuthFailure.ServiceLinkedRoleCreationNotPermitted',
        'The provided credentials do not have permission to create the service-linked role for EC2 Spot Instances.',
        { statusCode: 403 },
      );
    }
    if (instanceType(type)?.SupportedUsageClasses.includes('spot') === true) return;
    throw new Refusal(
      'Unsupported',
      `The requested configuration is currently not supported: ${type} is not sold as a Spot Instance.`,
    );
  }

  /** Refuses the eighth instance of a spread group in a zone. */
  #checkSpread({ group, subnet }: ValidLaunch): void {
    if (group?.strategy !== 'spread') return;
    const members = [...this.#options.world.instances.values()].filter(
      (instance) =>
        isHolding(instance) && instance.placement.groupId === group.id && instance.zone === subnet.zone,
    );
    if (members.length < spreadLimit) return;
    throw new Refusal(
      'InstanceLimitExceeded',
      'You have reached the limit of instances in this spread placement group in this Availability Zone.',
    );
  }

  #room(launch: ValidLaunch, market: 'on-demand' | 'spot'): Omit<Allocation, 'leases'> {
    const { type, subnet, spec } = launch;
    const reservation = market === 'spot' ? undefined : this.#reserve(launch);
    if (reservation !== undefined) {
      const isReserved = spec.reservationPreference === 'capacity-reservations-only';
      return { capacityType: isReserved ? 'reserved' : 'on-demand', reservation };
    }
    const pool: Pool = { type, zone: subnet.zone, capacityType: market };
    if (!this.#options.pools.take(pool)) throw this.#insufficient(pool);
    return { capacityType: market, pool };
  }

  /**
   * Takes a slot in the requested reservation, or in an open one that matches. Undefined if the launch uses
   * none; throws if it requires one and none has room.
   */
  #reserve(launch: ValidLaunch): CapacityReservation | undefined {
    const { spec } = launch;
    if (spec.reservationId !== undefined) return this.#reserveTarget(launch, spec.reservationId);
    if (spec.reservationPreference === 'none') return undefined;
    const now = this.#options.clock.now();
    const open = [...this.#options.world.capacityReservations.values()].find(
      (each) => each.facts.matchCriteria === 'open' && isFor(each, launch) && each.take(now),
    );
    if (open === undefined && spec.reservationPreference === 'capacity-reservations-only') throw exceeded();
    return open;
  }

  #reserveTarget(launch: ValidLaunch, id: string): CapacityReservation {
    const reservation = this.#options.world.capacityReservations.get(id);
    if (reservation === undefined) {
      throw new Refusal(
        'InvalidCapacityReservationId.NotFound',
        `The capacity reservation ID '${id}' does not exist`,
      );
    }
    if (isFor(reservation, launch) && reservation.take(this.#options.clock.now())) return reservation;
    throw exceeded();
  }

  #insufficient({ type, zone, capacityType }: Pool): Refusal {
    const { world, pools } = this.#options;
    const code = 'InsufficientInstanceCapacity';
    if (capacityType === 'spot') {
      return new Refusal(code, 'There is no Spot capacity available that matches your request.', {
        statusCode: 500,
      });
    }
    const others = world.zones
      .map(({ name }) => name)
      .filter((name) => name !== zone && pools.available({ type, zone: name, capacityType }) > 0);
    const advice = others.length === 0 ? '' : ` or choosing ${others.join(', ')}`;
    return new Refusal(
      code,
      `We currently do not have sufficient ${type} capacity in the Availability Zone you requested (${zone}). Our system will be working on provisioning additional capacity. You can currently get ${type} capacity by not specifying an Availability Zone in your request${advice}.`,
      { statusCode: 500 },
    );
  }
}

function isFor({ facts }: CapacityReservation, { type, subnet }: ValidLaunch): boolean {
  return facts.type === type && facts.zone === subnet.zone;
}

function exceeded(): Refusal {
  return new Refusal(
    'ReservationCapacityExceeded',
    'The requested reservation does not have sufficient compatible and available capacity for this request.',
  );
}

/** Leases one address per interface that can have one (an efa-only interface cannot), and its prefixes. */
function leaseAll({ spec, subnet }: ValidLaunch): readonly AddressLease[] {
  const leases: AddressLease[] = [];
  for (const { type, prefixes } of spec.interfaces) {
    const count = type === 'efa-only' ? 0 : 1 + prefixes * addressesPerPrefix;
    const lease = subnet.lease(count);
    if (lease === undefined) {
      for (const earlier of leases) subnet.giveBack(earlier);
      throw new Refusal(
        'InsufficientFreeAddressesInSubnet',
        `There are not enough free addresses in subnet '${subnet.id}' to satisfy the requested number of instances.`,
      );
    }
    leases.push(lease);
  }
  return leases;
}

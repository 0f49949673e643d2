import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import type { Allocation, Allocator } from '../capacity/allocation.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { Agenda } from '../world/agenda.ts';
import type { AgendaTask } from '../world/agenda-task.ts';
import { resourceId } from '../world/identifiers.ts';
import { type Disk, type Instance, type InstanceStateName, isAlive } from '../world/instance.ts';
import type { Notices } from '../world/notices.ts';
import type { CloudWorld } from '../world/world.ts';
import type { ValidLaunch } from './launch-validation.ts';

export interface InstanceLifecycleOptions {
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly agenda: Agenda<AgendaTask>;
  readonly faults: FaultBoard;
  readonly allocator: Allocator;
  readonly notices: Notices;
  /** In milliseconds; defaults to `defaultPendingTime`. */
  readonly pendingTime?: number | undefined;
  readonly saved?: SavedLifecycle | undefined;
}

export interface SavedLifecycle {
  /**
   * Counts up for the life of the account. Instances are listed in this order and boot times are drawn from
   * it.
   */
  readonly sequence: number;
}

export interface LaunchDetails {
  readonly market: 'on-demand' | 'spot';
  readonly tags: ReadonlyMap<string, string>;
  readonly clientToken: string;
  readonly reservationId: string;
  readonly fleetId?: string;
}

export type InstanceListener = (instance: Instance, state: InstanceStateName) => void;

/** How long an instance is pending, in milliseconds. */
export const defaultPendingTime = 5_000;
/** How long an instance stays in the other states. EC2 shows a terminated instance for about an hour. */
const stageMs = { shuttingDown: 30_000, terminated: 3_600_000 };

/**
 * The life cycle of instances: pending, running, shutting-down, terminated, and removed from the account.
 * Publishes every state change to listeners and to the interruption queue.
 */
export class InstanceLifecycle {
  readonly #options: InstanceLifecycleOptions;
  readonly #listeners = new Set<InstanceListener>();
  #sequence: number;

  constructor(options: InstanceLifecycleOptions) {
    this.#options = options;
    this.#sequence = options.saved?.sequence ?? 0;
  }

  save(): SavedLifecycle {
    return { sequence: this.#sequence };
  }

  /** Calls the listener on every state change. Returns a function that unsubscribes. */
  onChange(listener: InstanceListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Allocates and creates an instance in state pending. Throws a Refusal if quota, capacity or addresses are
   * missing.
   */
  launch(launch: ValidLaunch, details: LaunchDetails): Instance {
    const { world, agenda, allocator, pendingTime = defaultPendingTime } = this.#options;
    const instance = this.#instanceOf(launch, details, allocator.allocate(launch, details.market));
    world.instances.set(instance.id, instance);
    this.#publish(instance, 'pending');
    agenda.after(pendingTime, { kind: 'run', instanceId: instance.id });
    return instance;
  }

  /** A pending instance starts to run. Does nothing if it was terminated meanwhile. */
  run(instance: Instance): void {
    if (instance.state === 'pending') this.#enter(instance, 'running');
  }

  /** Starts to shut an instance down. Does nothing if it is shutting down or terminated already. */
  terminate(instance: Instance, reason: string): void {
    if (!isAlive(instance)) return;
    const { agenda } = this.#options;
    instance.stateReason = reason;
    this.#enter(instance, 'shutting-down');
    agenda.after(stageMs.shuttingDown, { kind: 'end', instanceId: instance.id });
  }

  /** The shutdown is over: only now the instance releases its capacity, quota and addresses. */
  end(instance: Instance): void {
    const { agenda, allocator, clock } = this.#options;
    instance.terminatedAt = clock.now();
    this.#enter(instance, 'terminated');
    allocator.release(instance);
    agenda.after(stageMs.terminated, { kind: 'forget', instanceId: instance.id });
  }

  /** Removes a terminated instance, which EC2 stops showing after a while. */
  forget({ id }: Instance): void {
    this.#options.world.instances.delete(id);
  }

  #enter(instance: Instance, state: InstanceStateName): void {
    instance.state = state;
    this.#publish(instance, state);
  }

  #publish(instance: Instance, state: InstanceStateName): void {
    this.#options.notices.stateChanged(instance, state);
    for (const listener of this.#listeners) listener(instance, state);
  }

  #instanceOf(launch: ValidLaunch, details: LaunchDetails, allocation: Allocation): Instance {
    const { world, clock, chance, faults } = this.#options;
    const { spec, image, subnet, profile, group } = launch;
    const { capacityType, pool, reservation } = allocation;
    const now = clock.now();
    this.#sequence += 1;
    const interfaces = this.#interfacesOf(launch, allocation);
    const privateIp = interfaces[0]?.lease.addresses[0] ?? '';
    return {
      id: resourceId('i', chance),
      sequence: this.#sequence,
      reservationId: details.reservationId,
      type: launch.type,
      imageId: image.id,
      architecture: image.architecture,
      isWindows: image.system === 'windows',
      subnetId: subnet.id,
      vpcId: subnet.vpcId,
      zone: subnet.zone,
      zoneId: subnet.zoneId,
      capacityType,
      launchedAt: now,
      visibleAt: now + faults.current.consistency.describe,
      interfaces,
      privateIp,
      privateDnsName: `ip-${privateIp.replaceAll('.', '-')}.${privateDomain(world.region)}`,
      disks: this.#disksOf(launch),
      rootDevice: image.rootDevice,
      userData: spec.userData,
      placement: {
        ...spec.placement,
        ...(group !== undefined && groupPlacement(group, spec.placement.partition, this.#sequence)),
      },
      isMonitored: spec.isMonitored,
      ...(spec.metadataHopLimit !== undefined && { metadataHopLimit: spec.metadataHopLimit }),
      clientToken: details.clientToken,
      tags: new Map(details.tags),
      health: {},
      events: [],
      state: 'pending',
      ...(pool !== undefined && { pool }),
      ...(profile !== undefined && { profileName: profile.name, profileArn: this.#profileArn(profile) }),
      ...(spec.reservationPreference !== undefined && { reservationPreference: spec.reservationPreference }),
      ...(reservation !== undefined && { capacityReservationId: reservation.id }),
      ...(details.market === 'spot' && { spotRequestId: resourceId('sir', chance).slice(0, 12) }),
      ...(details.fleetId !== undefined && { fleetId: details.fleetId }),
    };
  }

  #profileArn({ path, name }: { path: string; name: string }): string {
    return `arn:aws:iam::${this.#options.world.accountId}:instance-profile${path}${name}`;
  }

  #interfacesOf({ spec }: ValidLaunch, { leases }: Allocation): Instance['interfaces'] {
    const { chance } = this.#options;
    return spec.interfaces.map(({ card, device, type, groups }, index) => ({
      id: resourceId('eni', chance),
      card,
      device,
      type,
      groups,
      lease: leases[index] ?? { addresses: [] },
    }));
  }

  /** The volumes of the image, resized and extended by the block device mappings of the launch. */
  #disksOf({ spec, image }: ValidLaunch): readonly Disk[] {
    const { chance } = this.#options;
    const sizes = new Map(Object.entries(image.disks));
    for (const { device, sizeGiB } of spec.disks) sizes.set(device, sizeGiB ?? sizes.get(device) ?? 8);
    return [...sizes].map(([device, sizeGiB]) => ({ device, sizeGiB, volumeId: resourceId('vol', chance) }));
  }
}

function privateDomain(region: string): string {
  return region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`;
}

function groupPlacement(
  { id, name, partitions }: { id: string; name: string; partitions?: number },
  partition: number | undefined,
  sequence: number,
) {
  return {
    groupId: id,
    groupName: name,
    ...(partitions !== undefined && { partition: partition ?? (sequence % partitions) + 1 }),
  };
}

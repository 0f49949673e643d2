import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import type { Allocation, Allocator } from '../capacity/allocation.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { Agenda } from '../world/agenda.ts';
import type { AgendaTask } from '../world/agenda-task.ts';
import { resourceId } from '../world/identifiers.ts';
import { type Disk, type Instance, type InstanceStateName, isAlive } from '../world/instance.ts';
import type { Notices } from '../world/notices.ts';
import type { World } from '../world/world.ts';
import type { ValidLaunch } from './launch-validation.ts';

export interface MachinesOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly agenda: Agenda<AgendaTask>;
  readonly faults: FaultBoard;
  readonly allocator: Allocator;
  readonly notices: Notices;
  readonly saved?: SavedMachines | undefined;
}

export interface SavedMachines {
  /** How many instances were ever launched. */
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

/** How long the stages of an instance's life last. */
export const stageMs = { pending: 5_000, shuttingDown: 30_000, terminated: 3_600_000 };

/** Every instance of the account, from its launch until EC2 forgets it. */
export class Machines {
  readonly #options: MachinesOptions;
  readonly #listeners = new Set<InstanceListener>();
  #sequence: number;

  constructor(options: MachinesOptions) {
    this.#options = options;
    this.#sequence = options.saved?.sequence ?? 0;
  }

  save(): SavedMachines {
    return { sequence: this.#sequence };
  }

  /** Called with every change of state; returns how to stop that. */
  onChange(listener: InstanceListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Refuses where there is no room. */
  launch(launch: ValidLaunch, details: LaunchDetails): Instance {
    const { world, agenda, allocator } = this.#options;
    const instance = this.#instanceOf(launch, details, allocator.allocate(launch, details.market));
    world.instances.set(instance.id, instance);
    this.#tell(instance, 'pending');
    agenda.after(stageMs.pending, { kind: 'run', instanceId: instance.id });
    return instance;
  }

  /** Nothing happens to what was terminated meanwhile. */
  run(instance: Instance): void {
    if (instance.state === 'pending') this.#enter(instance, 'running');
  }

  /** Nothing happens to what is ending already. */
  terminate(instance: Instance, reason: string): void {
    if (!isAlive(instance)) return;
    const { agenda } = this.#options;
    instance.stateReason = reason;
    this.#enter(instance, 'shutting-down');
    agenda.after(stageMs.shuttingDown, { kind: 'end', instanceId: instance.id });
  }

  /** It has shut down. */
  end(instance: Instance): void {
    const { agenda, allocator, clock } = this.#options;
    instance.terminatedAt = clock.now();
    this.#enter(instance, 'terminated');
    allocator.release(instance);
    agenda.after(stageMs.terminated, { kind: 'forget', instanceId: instance.id });
  }

  /** EC2 shows it no longer. */
  forget({ id }: Instance): void {
    this.#options.world.instances.delete(id);
  }

  #enter(instance: Instance, state: InstanceStateName): void {
    instance.state = state;
    this.#tell(instance, state);
  }

  #tell(instance: Instance, state: InstanceStateName): void {
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

  /** Those of the image, with the sizes of the launch, and those that the launch adds. */
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

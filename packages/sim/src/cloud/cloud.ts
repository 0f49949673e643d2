import type { AwsServices } from '@karpenter/aws/ports';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import type { IdentityPolicy } from './access/index.ts';
import type { CapacityPools, Pool } from './capacity/capacity-pools.ts';
import type { SimulatedSpotPrices } from './capacity/spot-prices.ts';
import { type CloudOptions, CloudParts } from './cloud-parts.ts';
import type { InstanceListener } from './ec2/instance-lifecycle.ts';
import type { FaultBoard } from './faults/fault-board.ts';
import type { SavedCloud } from './saved/saved-cloud.ts';
import type { AdministratorServices } from './services/administration.ts';
import type { Agenda } from './world/agenda.ts';
import type { AgendaTask } from './world/agenda-task.ts';
import type { AutoScalingGroup, Nodegroup } from './world/auto-scaling-group.ts';
import type { CapacityReservation, CapacityReservationFacts } from './world/capacity-reservation.ts';
import { publishImages } from './world/default-world.ts';
import type { Image } from './world/image.ts';
import { releaseImages } from './world/image-releases.ts';
import { type EventCode, type Instance, isAlive } from './world/instance.ts';
import type { CloudWorld, ClusterAddress, InstanceProfile, SimulatedPlacementGroup } from './world/world.ts';

export type { CloudOptions } from './cloud-parts.ts';

/** Called when the boot time of an instance is over; `isFailing` says that it does not come up. */
export type BootListener = (instance: Instance, isFailing: boolean) => void;

const dayMs = 86_400_000;

/**
 * An AWS account in memory, which can be saved and restored. Methods below are what an operator, the console
 * or AWS itself does; calls of a client go through `services`.
 */
export class SimulatedCloud {
  readonly services: AwsServices;
  readonly #parts: CloudParts;
  readonly #bootListeners = new Set<BootListener>();

  constructor(options: CloudOptions) {
    this.#parts = new CloudParts(options, (task) => this.#perform(task));
    this.services = this.#parts.services();
  }

  /**
   * The same account for an administrator: everything is allowed, whatever the policies of `services` are. For the AWS
   * endpoint, whose callers are people with the AWS CLI.
   */
  administrator(): AdministratorServices {
    return this.#parts.administration();
  }

  get world(): CloudWorld {
    return this.#parts.world;
  }

  get faults(): FaultBoard {
    return this.#parts.faults;
  }

  get pools(): CapacityPools {
    return this.#parts.pools;
  }

  get prices(): SimulatedSpotPrices {
    return this.#parts.prices;
  }

  get agenda(): Agenda<AgendaTask> {
    return this.#parts.agenda;
  }

  get clock(): Clock {
    return this.#parts.clock;
  }

  /** The seed; for a restored account the seed of its first start. */
  get seed(): number {
    return this.#parts.seed;
  }

  /** The number of calls per action. */
  get calls(): ReadonlyMap<string, number> {
    return this.#parts.gateway.counts;
  }

  /** The number of checks that the policies of the caller failed, per action. */
  get denials(): ReadonlyMap<string, number> {
    return this.#parts.gateway.denials;
  }

  get vcpusInUse(): Readonly<Record<'on-demand' | 'spot', number>> {
    return this.#parts.allocator.quotas.save();
  }

  /**
   * From now on calls are served only if these policies allow them, as if they were all that the caller has. Without
   * policies everything is allowed. They are not saved with the account.
   */
  enforcePolicies(policies: readonly IdentityPolicy[] | undefined): void {
    this.#parts.gateway.enforce(policies);
  }

  /** A snapshot as plain data; later changes of the account do not affect it. */
  save(): SavedCloud {
    return this.#parts.save();
  }

  /**
   * Starts a restored account. Tasks that became due while no process ran happen now, each as of its due
   * time.
   */
  resume(): void {
    this.#parts.agenda.resume();
  }

  /** Calls the listener on every state change of an instance. Returns a function that unsubscribes. */
  onInstance(listener: InstanceListener): () => void {
    return this.#parts.lifecycle.onChange(listener);
  }

  /** Calls the listener when the boot time of an instance is over. Returns a function that unsubscribes. */
  onBoot(listener: BootListener): () => void {
    this.#bootListeners.add(listener);
    return () => this.#bootListeners.delete(listener);
  }

  /**
   * Sends an interruption warning and terminates the instance after the notice, two minutes by default. False
   * if the instance is unknown or cannot be interrupted.
   */
  interrupt(id: string): boolean {
    const instance = this.world.instances.get(id);
    return instance !== undefined && this.#change(() => this.#parts.market.interrupt(instance));
  }

  /** Sends a rebalance recommendation and nothing else. False if the instance does not run. */
  rebalance(id: string): boolean {
    return this.#withAlive(id, (instance) => this.#parts.market.rebalance(instance));
  }

  /** Schedules maintenance: an event in the instance status and an AWS Health event on the queue. */
  maintenance(id: string, code: EventCode = 'system-maintenance', notBefore?: Instant): boolean {
    return this.#withAlive(id, (instance) => {
      this.#parts.eventIds += 1;
      const description = 'The instance is running on degraded hardware';
      instance.events.push({
        id: `instance-event-${String(this.#parts.eventIds).padStart(17, '0')}`,
        code,
        description,
        notBefore: notBefore ?? this.clock.now() + dayMs,
      });
      this.#parts.notices.scheduledChange(instance, code, description);
    });
  }

  /** Makes one of the two EC2 status checks fail, or pass again. */
  impair(id: string, check: 'instance' | 'system', isImpaired = true): boolean {
    return this.#withAlive(id, ({ health }) => {
      const field = check === 'instance' ? 'instanceImpairedSince' : 'systemImpairedSince';
      if (!isImpaired) delete health[field];
      else health[field] ??= this.clock.now();
    });
  }

  addReservation(facts: CapacityReservationFacts): CapacityReservation {
    return this.#change(() => this.#parts.reservations.add(facts));
  }

  /** Cancels a reservation; its instances continue as on-demand. False if the id is unknown. */
  cancelReservation(id: string): boolean {
    return this.#change(() => this.#parts.reservations.cancel(id));
  }

  addPlacementGroup(group: SimulatedPlacementGroup): void {
    this.#change(() => this.world.placementGroups.set(group.id, group));
  }

  addInstanceProfile(profile: Omit<InstanceProfile, 'createdAt'>): void {
    const added = { ...profile, createdAt: this.clock.now() };
    this.#change(() => this.world.instanceProfiles.set(profile.name, added));
  }

  /** Creates an Auto Scaling group, which launches its instances. */
  addAutoScalingGroup(group: Omit<AutoScalingGroup, 'createdAt' | 'suspended'>): void {
    const added = { ...group, createdAt: this.clock.now(), suspended: [] };
    this.#change(() => this.world.autoScalingGroups.set(group.name, added));
    this.#parts.scaling.changed(added);
  }

  /** Declares an Auto Scaling group to be that of a managed node group of EKS. */
  addNodegroup(nodegroup: Nodegroup): void {
    this.#change(() => this.world.nodegroups.set(nodegroup.name, nodegroup));
  }

  /** Terminates an instance as a user at the console would. */
  terminate(id: string): boolean {
    return this.#withAlive(id, (instance) =>
      this.#parts.lifecycle.terminate(instance, 'Client.UserInitiatedShutdown'),
    );
  }

  drainPool(pool: Pool): void {
    this.#change(() => this.pools.drain(pool));
  }

  refillPool(pool: Pool, depth?: number): void {
    this.#change(() => this.pools.refill(pool, depth));
  }

  /** Starts a zonal shift away from a zone, given by its id. */
  shiftZone(zoneId: string, durationInMs: number): void {
    const expiresAt = this.clock.now() + durationInMs;
    this.#change(() => this.world.shifts.set(zoneId, { zoneId, expiresAt }));
  }

  endShift(zoneId: string): void {
    this.#change(() => this.world.shifts.delete(zoneId));
  }

  /**
   * Publishes newer images of every system for the cluster version; the SSM parameters of the latest images then name
   * them. Returns the new images.
   */
  releaseImages(): readonly Image[] {
    return this.#change(() => releaseImages(this.world, this.clock.now()));
  }

  /** Changes the Kubernetes version of the control plane and publishes the images for it. */
  upgradeCluster(version: string): void {
    this.world.cluster = { ...this.world.cluster, version };
    this.#change(() => publishImages(this.world, this.clock.now()));
  }

  /**
   * Changes the address of the API server, for example to another port after a restart. Keeps former
   * addresses, because instances launched before have them in their user data.
   */
  moveCluster({ endpoint, certificateAuthority }: ClusterAddress): void {
    const { cluster } = this.world;
    const isSame = cluster.endpoint === endpoint && cluster.certificateAuthority === certificateAuthority;
    if (isSame) return;
    const former = { endpoint: cluster.endpoint, certificateAuthority: cluster.certificateAuthority };
    const others = (cluster.formerAddresses ?? []).filter((each) => each.endpoint !== endpoint);
    const formerAddresses = [...others, former];
    this.#change(() => {
      this.world.cluster = { ...cluster, endpoint, certificateAuthority, formerAddresses };
    });
  }

  /**
   * Leases addresses for the pods of a running instance, as the network plugin does; false if the subnet has
   * too few.
   */
  leasePodAddresses(id: string, count: number): boolean {
    const { allocator } = this.#parts;
    let isLeased = false;
    this.#withAlive(id, (instance) => {
      isLeased = allocator.leasePodAddresses(instance, count);
    });
    return isLeased;
  }

  /** Sends any text to the interruption queue. */
  sendMessage(body: string): void {
    this.#change(() => this.#parts.notices.sendBody(body));
  }

  /** Stops the agenda; calls are still served. */
  stop(): void {
    this.#parts.agenda.stop();
  }

  /** Runs a change that no API call makes, and has it saved soon. */
  #change<Result>(act: () => Result): Result {
    const result = act();
    this.#parts.durability.changed();
    return result;
  }

  #withAlive(id: string, act: (instance: Instance) => void): boolean {
    const instance = this.world.instances.get(id);
    if (instance === undefined || !isAlive(instance)) return false;
    this.#change(() => act(instance));
    return true;
  }

  #perform(task: AgendaTask): void {
    if (task.kind === 'spot-tick') this.#parts.market.tick();
    else if (task.kind === 'empty-block') this.#parts.reservations.empty(task.reservationId);
    else if (task.kind === 'scale-group') this.#parts.scaling.scale(task.groupName);
    else if (task.kind === 'end-reservation') this.#parts.reservations.detach(task.reservationId);
    else {
      const instance = this.world.instances.get(task.instanceId);
      if (instance !== undefined) this.#performFor(instance, task);
    }
  }

  #performFor(instance: Instance, task: Extract<AgendaTask, { instanceId: string }>): void {
    const { lifecycle, market } = this.#parts;
    switch (task.kind) {
      case 'run':
        lifecycle.run(instance);
        break;
      case 'boot':
        for (const listener of this.#bootListeners) listener(instance, task.isFailing);
        break;
      case 'interrupt':
        market.interrupt(instance);
        break;
      case 'terminate':
        lifecycle.terminate(instance, task.reason);
        break;
      case 'end':
        lifecycle.end(instance);
        break;
      case 'forget':
        lifecycle.forget(instance);
        break;
      default:
        task satisfies never;
    }
  }
}

export function createCloud(options: CloudOptions): SimulatedCloud {
  return new SimulatedCloud(options);
}

import type { AwsServices } from '@karpenter/aws/ports';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import type { CapacityPools, Pool } from './capacity/capacity-pools.ts';
import type { SpotPrices } from './capacity/spot-prices.ts';
import { type CloudOptions, CloudParts } from './cloud-parts.ts';
import type { InstanceListener } from './ec2/machines.ts';
import type { FaultBoard } from './faults/fault-board.ts';
import type { SavedCloud } from './saved/saved-cloud.ts';
import type { Agenda } from './world/agenda.ts';
import type { AgendaTask } from './world/agenda-task.ts';
import type { CapacityReservation, CapacityReservationFacts } from './world/capacity-reservation.ts';
import { publishImages } from './world/default-world.ts';
import { type EventCode, type Instance, isAlive } from './world/instance.ts';
import type { ClusterAddress, World } from './world/world.ts';

export type { CloudOptions } from './cloud-parts.ts';

/** A machine has had the time to boot; it is up unless it fails. */
export type BootListener = (instance: Instance, isFailing: boolean) => void;

const dayMs = 86_400_000;

/** An AWS account in memory, which can be saved and restored. */
export class SimulatedCloud {
  readonly services: AwsServices;
  readonly #parts: CloudParts;
  readonly #bootListeners = new Set<BootListener>();

  constructor(options: CloudOptions) {
    this.#parts = new CloudParts(options, (task) => this.#carryOut(task));
    this.services = this.#parts.services();
  }

  get world(): World {
    return this.#parts.world;
  }

  get faults(): FaultBoard {
    return this.#parts.faults;
  }

  get pools(): CapacityPools {
    return this.#parts.pools;
  }

  get prices(): SpotPrices {
    return this.#parts.prices;
  }

  get agenda(): Agenda<AgendaTask> {
    return this.#parts.agenda;
  }

  get clock(): Clock {
    return this.#parts.clock;
  }

  /** That of the first start, for a restored account. */
  get seed(): number {
    return this.#parts.seed;
  }

  /** How often each action was asked for. */
  get calls(): ReadonlyMap<string, number> {
    return this.#parts.gateway.counts;
  }

  get vcpusInUse(): Readonly<Record<'on-demand' | 'spot', number>> {
    return this.#parts.allocator.quotas.save();
  }

  /** All of it as plain data, which does not change with the account. */
  save(): SavedCloud {
    return this.#parts.save();
  }

  /** A restored account goes on; what fell due meanwhile happens now, each thing at the time it was due at. */
  resume(): void {
    this.#parts.agenda.resume();
  }

  /** Called with every change of an instance's state; returns how to stop that. */
  onInstance(listener: InstanceListener): () => void {
    return this.#parts.machines.onChange(listener);
  }

  /** Calls the listener for every boot on the agenda; returns how to stop that. */
  onBoot(listener: BootListener): () => void {
    this.#bootListeners.add(listener);
    return () => this.#bootListeners.delete(listener);
  }

  /** A warning on the queue, and the end two minutes later. False if no such instance can be interrupted. */
  interrupt(id: string): boolean {
    const instance = this.world.instances.get(id);
    return instance !== undefined && this.#change(() => this.#parts.market.interrupt(instance));
  }

  /** Only the recommendation. */
  rebalance(id: string): boolean {
    return this.#withAlive(id, (instance) => this.#parts.market.rebalance(instance));
  }

  /** Announces work on the machine: in the instance's status and as a health event on the queue. */
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

  /** One of the two status checks fails from now on, or passes again. */
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

  /** Its instances go on outside of it. False if there is none. */
  cancelReservation(id: string): boolean {
    return this.#change(() => this.#parts.reservations.cancel(id));
  }

  /** As somebody at the console would. */
  terminate(id: string): boolean {
    return this.#withAlive(id, (instance) =>
      this.#parts.machines.terminate(instance, 'Client.UserInitiatedShutdown'),
    );
  }

  drainPool(type: string, zone: string, capacityType: Pool['capacityType']): void {
    this.#change(() => this.pools.drain({ type, zone, capacityType }));
  }

  refillPool(type: string, zone: string, capacityType: Pool['capacityType'], depth?: number): void {
    this.#change(() => this.pools.refill({ type, zone, capacityType }, depth));
  }

  /** Traffic is shifted away from a zone, by its id, for so long. */
  shiftZone(zoneId: string, durationInMs: number): void {
    const expiresAt = this.clock.now() + durationInMs;
    this.#change(() => this.world.shifts.set(zoneId, { zoneId, expiresAt }));
  }

  endShift(zoneId: string): void {
    this.#change(() => this.world.shifts.delete(zoneId));
  }

  /** AWS releases images: newer ones by now, which the parameters of the latest then name. */
  releaseImages(): void {
    this.#change(() => publishImages(this.world, this.clock.now()));
  }

  /** A control plane of another version, with the images for it. */
  upgradeCluster(version: string): void {
    this.world.cluster = { ...this.world.cluster, version };
    this.releaseImages();
  }

  /** The API server answers elsewhere from now on, as on another port after a restart. */
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

  /** Addresses for the pods of a running instance, as the network plugin takes them; false if there are too few. */
  leasePodAddresses(id: string, count: number): boolean {
    const { allocator } = this.#parts;
    let isLeased = false;
    this.#withAlive(id, (instance) => {
      isLeased = allocator.leasePodAddresses(instance, count);
    });
    return isLeased;
  }

  /** Puts any text on the queue. */
  sendMessage(body: string): void {
    this.#change(() => this.#parts.notices.sendBody(body));
  }

  /** Nothing happens by itself any more. */
  stop(): void {
    this.#parts.agenda.stop();
  }

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

  #carryOut(task: AgendaTask): void {
    if (task.kind === 'spot-tick') this.#parts.market.tick();
    else if (task.kind === 'empty-block') this.#parts.reservations.empty(task.reservationId);
    else if (task.kind === 'end-reservation') this.#parts.reservations.detach(task.reservationId);
    else {
      const instance = this.world.instances.get(task.instanceId);
      if (instance !== undefined) this.#carryOutFor(instance, task);
    }
  }

  #carryOutFor(instance: Instance, task: Extract<AgendaTask, { instanceId: string }>): void {
    const { machines, market } = this.#parts;
    switch (task.kind) {
      case 'run':
        machines.run(instance);
        break;
      case 'boot':
        for (const listener of this.#bootListeners) listener(instance, task.isFailing);
        break;
      case 'interrupt':
        market.interrupt(instance);
        break;
      case 'terminate':
        machines.terminate(instance, task.reason);
        break;
      case 'end':
        machines.end(instance);
        break;
      case 'forget':
        machines.forget(instance);
        break;
      default:
        task satisfies never;
    }
  }
}

export function createCloud(options: CloudOptions): SimulatedCloud {
  return new SimulatedCloud(options);
}

import type { AwsServices } from '@karpenter/aws/ports';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { chanceFrom, hashText } from '../objects/chance.ts';
import { Gateway } from './calls/gateway.ts';
import { Allocator } from './capacity/allocation.ts';
import { CapacityPools, type Pool } from './capacity/capacity-pools.ts';
import { Reservations } from './capacity/reservations.ts';
import { SpotMarket } from './capacity/spot-market.ts';
import { SpotPrices } from './capacity/spot-prices.ts';
import { ec2Service } from './ec2/ec2-service.ts';
import { type InstanceListener, Machines } from './ec2/machines.ts';
import { FaultBoard } from './faults/fault-board.ts';
import type { Faults } from './faults/faults.ts';
import { eksService, ssmService, stsService, zonalShiftService } from './services/account-services.ts';
import { iamService } from './services/iam.ts';
import { pricingService } from './services/pricing.ts';
import { sqsService } from './services/sqs.ts';
import { Agenda } from './world/agenda.ts';
import type { CapacityReservation, CapacityReservationFacts } from './world/capacity-reservation.ts';
import { defaultWorld, publishImages, type WorldOptions } from './world/default-world.ts';
import { type EventCode, type Instance, isAlive } from './world/instance.ts';
import { Notices } from './world/notices.ts';
import type { World } from './world/world.ts';

export interface CloudOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly clusterName: string;
  readonly region?: string;
  readonly faults?: Partial<Faults>;
  /** What the account has at first: the default world with changes, or another one altogether. */
  readonly world?: World | Partial<Omit<WorldOptions, 'clock' | 'seed' | 'clusterName' | 'region'>>;
  /** Called with what a step of the simulation threw; the others go on. */
  readonly onError?: (error: unknown) => void;
}

const usualRegion = 'us-west-2';
const dayMs = 86_400_000;

/** An AWS account in memory. */
export class SimulatedCloud {
  readonly services: AwsServices;
  readonly world: World;
  readonly faults: FaultBoard;
  readonly pools: CapacityPools;
  readonly prices: SpotPrices;
  readonly agenda: Agenda;
  readonly clock: Clock;
  readonly #gateway: Gateway;
  readonly #machines: Machines;
  readonly #market: SpotMarket;
  readonly #notices: Notices;
  readonly #allocator: Allocator;
  readonly #reservations: Reservations;
  #eventIds = 0;

  constructor(options: CloudOptions) {
    const { clock, seed } = options;
    const chance = (name: string) => chanceFrom(hashText(`${seed} ${name}`));
    const world = worldOf(options);
    const faults = new FaultBoard(chance('faults'), options.faults);
    const pools = new CapacityPools(seed, clock, faults);
    const prices = new SpotPrices(seed);
    const agenda = new Agenda(clock, options.onError);
    const notices = new Notices(world, clock, chance('notices'));
    const allocator = new Allocator({ world, clock, faults, pools });
    const base = { world, clock, faults, pools, prices, agenda, notices, allocator };
    const machines = new Machines({ ...base, chance: chance('machines') });
    const gateway = new Gateway({ clock, faults, chance: chance('calls'), callerArn: world.callerArn });
    this.clock = clock;
    this.world = world;
    this.faults = faults;
    this.pools = pools;
    this.prices = prices;
    this.agenda = agenda;
    this.#gateway = gateway;
    this.#machines = machines;
    this.#notices = notices;
    this.#allocator = allocator;
    this.#market = new SpotMarket({ ...base, machines, chance: chance('market') });
    this.#reservations = new Reservations({ ...base, machines });
    this.services = {
      ec2: ec2Service({ ...base, gateway, machines, chance: chance('ec2') }),
      iam: iamService({ gateway, world, clock, chance: chance('iam') }),
      sqs: sqsService(gateway, world),
      ssm: ssmService(gateway, world),
      pricing: pricingService(gateway, world),
      eks: eksService(gateway, world),
      sts: stsService(gateway, world),
      zonalShift: zonalShiftService(gateway, world, clock),
    };
  }

  /** How often each action was asked for. */
  get calls(): ReadonlyMap<string, number> {
    return this.#gateway.counts;
  }

  get vcpusInUse(): Readonly<Record<'on-demand' | 'spot', number>> {
    const { quotas } = this.#allocator;
    return { 'on-demand': quotas.inUse('on-demand'), spot: quotas.inUse('spot') };
  }

  /** Told of every change of an instance's state; returns how to stop that. */
  onInstance(listener: InstanceListener): () => void {
    return this.#machines.onChange(listener);
  }

  /** A warning on the queue, and the end two minutes later. False if no such instance can be interrupted. */
  interrupt(id: string): boolean {
    const instance = this.world.instances.get(id);
    return instance !== undefined && this.#market.interrupt(instance);
  }

  /** Only the recommendation. */
  rebalance(id: string): boolean {
    return this.#withAlive(id, (instance) => this.#market.rebalance(instance));
  }

  /** Announces work on the machine: in the instance's status and as a health event on the queue. */
  maintenance(id: string, code: EventCode = 'system-maintenance', notBefore?: Instant): boolean {
    return this.#withAlive(id, (instance) => {
      this.#eventIds += 1;
      const description = 'The instance is running on degraded hardware';
      instance.events.push({
        id: `instance-event-${String(this.#eventIds).padStart(17, '0')}`,
        code,
        description,
        notBefore: notBefore ?? this.clock.now() + dayMs,
      });
      this.#notices.scheduledChange(instance, code, description);
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
    return this.#reservations.add(facts);
  }

  /** Its instances go on outside of it. False if there is none. */
  cancelReservation(id: string): boolean {
    return this.#reservations.cancel(id);
  }

  /** As somebody at the console would. */
  terminate(id: string): boolean {
    return this.#withAlive(id, (instance) =>
      this.#machines.terminate(instance, 'Client.UserInitiatedShutdown'),
    );
  }

  drainPool(type: string, zone: string, capacityType: Pool['capacityType']): void {
    this.pools.drain({ type, zone, capacityType });
  }

  refillPool(type: string, zone: string, capacityType: Pool['capacityType'], depth?: number): void {
    this.pools.refill({ type, zone, capacityType }, depth);
  }

  /** Traffic is shifted away from a zone, by its id, for so long. */
  shiftZone(zoneId: string, durationInMs: number): void {
    this.world.shifts.set(zoneId, { zoneId, expiresAt: this.clock.now() + durationInMs });
  }

  endShift(zoneId: string): void {
    this.world.shifts.delete(zoneId);
  }

  /** AWS releases images: newer ones by now, which the parameters of the latest then name. */
  releaseImages(): void {
    publishImages(this.world, this.clock.now());
  }

  /** A control plane of another version, with the images for it. */
  upgradeCluster(version: string): void {
    this.world.cluster = { ...this.world.cluster, version };
    this.releaseImages();
  }

  /** Addresses for the pods of a running instance, as the network plugin takes them; false if there are too few. */
  leasePodAddresses(id: string, count: number): boolean {
    const instance = this.world.instances.get(id);
    return instance !== undefined && isAlive(instance) && this.#allocator.leasePodAddresses(instance, count);
  }

  /** Puts any text on the queue. */
  sendMessage(body: string): void {
    this.#notices.sendBody(body);
  }

  /** Nothing happens by itself any more. */
  stop(): void {
    this.agenda.stop();
  }

  #withAlive(id: string, act: (instance: Instance) => void): boolean {
    const instance = this.world.instances.get(id);
    if (instance === undefined || !isAlive(instance)) return false;
    act(instance);
    return true;
  }
}

export function createCloud(options: CloudOptions): SimulatedCloud {
  return new SimulatedCloud(options);
}

function worldOf({ world, clock, seed, clusterName, region = usualRegion }: CloudOptions): World {
  if (world !== undefined && 'instances' in world) return world;
  return defaultWorld({ ...world, clock, seed, clusterName, region });
}

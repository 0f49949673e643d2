import type { AwsServices } from '@karpenter/aws/ports';
import type { Clock } from '@karpenter/kube/runtime';
import { autoScalingService, GroupCalls, GroupScaling } from './auto-scaling/index.ts';
import { type Durability, notDurable } from './calls/durability.ts';
import { Gateway } from './calls/gateway.ts';
import { Allocator } from './capacity/allocation.ts';
import { CapacityPools } from './capacity/capacity-pools.ts';
import { SimulatedReservations } from './capacity/reservations.ts';
import { SpotMarket } from './capacity/spot-market.ts';
import { SimulatedSpotPrices } from './capacity/spot-prices.ts';
import { ec2Service } from './ec2/ec2-service.ts';
import { InstanceLifecycle } from './ec2/instance-lifecycle.ts';
import { LaunchTemplates } from './ec2/launch-templates.ts';
import { RecentAnswers } from './ec2/recent-answers.ts';
import type { OutputOf } from './ec2/shapes.ts';
import { FaultBoard } from './faults/fault-board.ts';
import type { Faults } from './faults/faults.ts';
import type { SavedCloud } from './saved/saved-cloud.ts';
import { restoreWorld, saveWorld } from './saved/saved-world.ts';
import { eksService, ssmService, stsService, zonalShiftService } from './services/account-services.ts';
import { type AdministratorServices, administrationService } from './services/administration.ts';
import { iamService } from './services/iam.ts';
import { pricingService } from './services/pricing.ts';
import { sqsService } from './services/sqs.ts';
import { AccountClock } from './world/account-clock.ts';
import { Agenda } from './world/agenda.ts';
import type { AgendaTask } from './world/agenda-task.ts';
import { Chances } from './world/chances.ts';
import { type CloudWorldOptions, defaultWorld } from './world/default-world.ts';
import { Notices } from './world/notices.ts';
import type { CloudWorld } from './world/world.ts';

export interface CloudOptions {
  readonly clock: Clock;
  readonly seed: number;
  readonly clusterName: string;
  readonly region?: string;
  readonly faults?: Partial<Faults>;
  /** How long instances are pending, in milliseconds; defaults to 5 s. */
  readonly pendingTime?: number | undefined;
  /** What a new account contains: options of the default world, or a complete world. */
  readonly world?: CloudWorld | Partial<Omit<CloudWorldOptions, 'clock' | 'seed' | 'clusterName' | 'region'>>;
  /**
   * The account of an earlier process; its seed and world replace those given here. Nothing happens in it
   * before `resume`.
   */
  readonly saved?: SavedCloud | undefined;
  /** Defaults to `notDurable`. */
  readonly durability?: Durability | undefined;
  /** Called with what a task of the agenda threw; later tasks still run. */
  readonly onError?: (error: unknown) => void;
}

const defaultRegion = 'us-west-2';

/**
 * The components of a simulated account, wired together, new or restored. SimulatedCloud is the interface to
 * use.
 */
export class CloudParts {
  readonly seed: number;
  readonly clock: AccountClock;
  readonly durability: Durability;
  readonly chances: Chances;
  readonly world: CloudWorld;
  readonly faults: FaultBoard;
  readonly pools: CapacityPools;
  readonly prices: SimulatedSpotPrices;
  readonly agenda: Agenda<AgendaTask>;
  readonly notices: Notices;
  readonly allocator: Allocator;
  readonly lifecycle: InstanceLifecycle;
  readonly gateway: Gateway;
  readonly templates: LaunchTemplates;
  readonly fleetAnswers: RecentAnswers<OutputOf<'createFleet'>>;
  readonly runAnswers: RecentAnswers<OutputOf<'runInstances'>>;
  readonly market: SpotMarket;
  readonly reservations: SimulatedReservations;
  readonly scaling: GroupScaling;
  /** How many maintenance events were ever scheduled; their ids count up. */
  eventIds: number;

  constructor(options: CloudOptions, perform: (task: AgendaTask) => void) {
    const { saved, durability = notDurable } = options;
    this.seed = saved?.seed ?? options.seed;
    this.clock = new AccountClock(options.clock);
    this.durability = durability;
    // The names of the random streams are part of the saved account: renaming one changes what a seed gives.
    this.chances = new Chances(this.seed, saved?.chances);
    this.world = worldOf(options, this.clock);
    this.faults = new FaultBoard(this.chances.of('faults'), options.faults);
    this.pools = new CapacityPools({ ...this, saved: saved?.pools });
    this.prices = new SimulatedSpotPrices(this.seed, this.world.region);
    this.agenda = new Agenda({
      clock: this.clock,
      perform,
      onChange: () => durability.changed(),
      ...(options.onError !== undefined && { onError: options.onError }),
      ...(saved !== undefined && { saved: saved.agenda }),
    });
    this.notices = new Notices(this.world, this.clock, this.chances.of('notices'));
    this.allocator = new Allocator({ ...this, saved: saved?.quotas });
    this.lifecycle = new InstanceLifecycle({
      ...this,
      pendingTime: options.pendingTime,
      chance: this.chances.of('machines'),
      saved: saved?.machines,
    });
    const { callerArn, region } = this.world;
    const calls = { chance: this.chances.of('calls'), callerArn, region, saved: saved?.buckets };
    this.gateway = new Gateway({ ...this, ...calls });
    const chance = this.chances.of('ec2');
    this.templates = new LaunchTemplates({ ...this, chance, saved: saved?.templates });
    this.fleetAnswers = new RecentAnswers(this.clock, saved?.fleetAnswers);
    this.runAnswers = new RecentAnswers(this.clock, saved?.runAnswers);
    this.market = new SpotMarket({ ...this, chance: this.chances.of('market'), saved: saved?.market });
    this.lifecycle.onChange((instance, state) => this.market.instanceChanged(instance, state));
    this.reservations = new SimulatedReservations(this);
    this.scaling = new GroupScaling({ ...this, chance: this.chances.of('groups') });
    this.eventIds = saved?.eventIds ?? 0;
  }

  services(gateway: Gateway = this.gateway): AwsServices {
    const { world, clock, chances, faults } = this;
    const groups = new GroupCalls(this);
    return {
      ec2: ec2Service({ ...this, gateway, chance: chances.of('ec2') }),
      iam: iamService({ gateway, world, clock, faults, chance: chances.of('iam') }),
      sqs: sqsService(gateway, world),
      ssm: ssmService(gateway, world, clock),
      pricing: pricingService(gateway, world),
      eks: eksService(gateway, world, groups),
      sts: stsService(gateway, world),
      zonalShift: zonalShiftService(gateway, world, clock),
      autoScaling: autoScalingService(gateway, world, groups),
    };
  }

  administration(): AdministratorServices {
    const { world } = this;
    const gateway = this.gateway.forCaller(`arn:aws:iam::${world.accountId}:user/administrator`);
    return { ...this.services(gateway), administration: administrationService(gateway, world) };
  }

  save(): SavedCloud {
    return {
      seed: this.seed,
      chances: this.chances.save(),
      world: saveWorld(this.world),
      agenda: this.agenda.save(),
      machines: this.lifecycle.save(),
      templates: this.templates.save(),
      fleetAnswers: this.fleetAnswers.save(),
      runAnswers: this.runAnswers.save(),
      market: this.market.save(),
      pools: this.pools.save(),
      quotas: this.allocator.quotas.save(),
      buckets: this.gateway.save(),
      eventIds: this.eventIds,
    };
  }
}

function worldOf(options: CloudOptions, clock: Clock): CloudWorld {
  const { saved, world, seed, clusterName, region = defaultRegion } = options;
  if (saved !== undefined) return restoreWorld(saved.world, clock);
  if (world !== undefined && 'instances' in world) return world;
  return defaultWorld({ ...world, clock, seed, clusterName, region });
}

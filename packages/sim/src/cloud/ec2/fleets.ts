import { onDemandPrice } from '@karpenter/ec2-catalogue';
import type { Clock } from '@karpenter/kube/runtime';
import { type Chance, hashText } from '../../objects/chance.ts';
import { invalidParameterValue, missingParameter, Refusal } from '../calls/refusal.ts';
import type { CapacityPools } from '../capacity/capacity-pools.ts';
import type { SimulatedSpotPrices } from '../capacity/spot-prices.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import { resourceId } from '../world/identifiers.ts';
import { type Instance, isHolding } from '../world/instance.ts';
import { specifiedTags } from '../world/tags.ts';
import type { CloudWorld, LaunchTemplate } from '../world/world.ts';
import { refuseDryRun } from './dry-run.ts';
import { type FleetChoice, inOrder, ties } from './fleet-strategy.ts';
import type { InstanceLifecycle } from './instance-lifecycle.ts';
import { type LaunchSpec, specOf, templateOf } from './launch-spec.ts';
import { type ValidLaunch, validateLaunch } from './launch-validation.ts';
import {
  type Ec2FleetError,
  type Ec2FleetOverride,
  type FleetConfig,
  type FleetInstance,
  type InputOf,
  isInstanceTypeName,
  type OutputOf,
} from './shapes.ts';

export interface FleetsOptions {
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly faults: FaultBoard;
  readonly pools: CapacityPools;
  readonly prices: SimulatedSpotPrices;
  readonly lifecycle: InstanceLifecycle;
}

interface Choice extends FleetChoice {
  readonly template: LaunchTemplate;
  readonly version: string;
  readonly override: Ec2FleetOverride;
  readonly spec: LaunchSpec;
  readonly zone: string | undefined;
}

interface Request {
  readonly market: 'on-demand' | 'spot';
  readonly target: number;
  readonly fleetId: string;
  readonly input: InputOf<'createFleet'>;
}

interface Outcome {
  readonly instances: FleetInstance[];
  readonly errors: Ec2FleetError[];
}

interface Fulfilment {
  readonly request: Request;
  readonly outcome: Outcome;
}

interface ConfiguredOverride {
  readonly config: FleetConfig;
  readonly template: LaunchTemplate;
  readonly override: Ec2FleetOverride;
  readonly market: 'on-demand' | 'spot';
}

/**
 * CreateFleet for fleets of type `instant`, the only type simulated: one reply with the launched instances
 * and the errors of the choices that failed.
 */
export class Fleets {
  readonly #options: FleetsOptions;

  constructor(options: FleetsOptions) {
    this.#options = options;
  }

  create(input: InputOf<'createFleet'>): OutputOf<'createFleet'> {
    const { chance } = this.#options;
    // EC2 rejects a malformed request as a whole but reports a refused launch inside the reply.
    checkShape(input);
    const choices = this.#choices(input);
    refuseDryRun(input.DryRun);
    const request: Request = {
      market: marketOf(input),
      target: targetOf(input),
      fleetId: `fleet-${resourceId('f', chance).slice(2)}`,
      input,
    };
    const { instances, errors } = this.#isOverQuota()
      ? {
          instances: [],
          errors: choices.slice(0, 1).map((choice) => errorOf(choice, request, tooManyFleets())),
        }
      : this.#fulfil(choices, request);
    return { FleetId: request.fleetId, Instances: instances, Errors: errors };
  }

  #choices(input: InputOf<'createFleet'>): readonly Choice[] {
    return (input.LaunchTemplateConfigs ?? []).flatMap((config) => {
      const template = templateOf(this.#options.world, config.LaunchTemplateSpecification);
      const overrides = config.Overrides?.length ? config.Overrides : [{}];
      return overrides.map((override) =>
        this.#choice({ config, template, override, market: marketOf(input) }),
      );
    });
  }

  #choice({ config, template, override, market }: ConfiguredOverride): Choice {
    const { clock, pools, prices, world } = this.#options;
    const spec = specOf(template.data, {
      type: override.InstanceType,
      imageId: override.ImageId,
      subnetId: override.SubnetId,
    });
    const zone = world.subnets.get(spec.subnetId ?? '')?.zone ?? override.AvailabilityZone;
    const price =
      market === 'spot'
        ? prices.at(spec.type, zone ?? '', clock.now())
        : onDemandPrice(spec.type, world.region);
    return {
      template,
      version: config.LaunchTemplateSpecification?.Version ?? '$Default',
      override,
      spec,
      zone,
      price: price ?? Number.MAX_VALUE,
      priority: override.Priority ?? Number.MAX_VALUE,
      depth: zone === undefined ? 0 : pools.available({ type: spec.type, zone, capacityType: market }),
    };
  }

  #fulfil(choices: readonly Choice[], request: Request): Outcome {
    const outcome: Outcome = { instances: [], errors: [] };
    let left = request.target;
    for (const tied of tiedChoices(inOrder(strategyOf(request), choices), request)) {
      if (left <= 0) break;
      left -= this.#launchEvenly(tied, left, { request, outcome });
    }
    return outcome;
  }

  /** Spreads instances over choices that the strategy ranks equal; returns how many it launched. */
  #launchEvenly(tied: readonly Choice[], limit: number, { request, outcome }: Fulfilment): number {
    let left = limit;
    const open = tied.filter((choice, index) => {
      const share = Math.ceil(left / (tied.length - index));
      const launched = left > 0 ? this.#launchMany(choice, share, { request, outcome }) : 0;
      left -= launched;
      return launched === share;
    });
    // Zones with capacity take what the others lack.
    for (const choice of open) if (left > 0) left -= this.#launchMany(choice, left, { request, outcome });
    return limit - left;
  }

  /**
   * Launches up to `limit` instances of one choice and returns how many it launched. A refusal becomes an
   * error of the reply.
   */
  #launchMany(choice: Choice, limit: number, { request, outcome }: Fulfilment): number {
    const launched: Instance[] = [];
    const refusal = this.#attempt(choice, limit, request, launched);
    if (refusal !== undefined) outcome.errors.push(errorOf(choice, request, refusal));
    if (launched.length > 0) outcome.instances.push(instancesOf(choice, request, launched));
    return launched.length;
  }

  #attempt(choice: Choice, limit: number, request: Request, launched: Instance[]): Refusal | undefined {
    try {
      this.#checkPrice(choice, request);
      const valid = this.#validate(choice);
      const reservationId = resourceId('r', this.#options.chance);
      while (launched.length < limit) launched.push(this.#launchOne(valid, request, choice, reservationId));
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  #validate({ spec }: Choice): ValidLaunch {
    const { world, clock, faults } = this.#options;
    return validateLaunch(spec, { world, now: clock.now(), profileLag: faults.current.consistency.profile });
  }

  #checkPrice({ override, price }: Choice, { market }: Request): void {
    const limit = override.MaxPrice === undefined ? Number.POSITIVE_INFINITY : Number(override.MaxPrice);
    if (market === 'on-demand' || price <= limit) return;
    throw new Refusal(
      'SpotMaxPriceTooLow',
      `Your Spot request price of ${override.MaxPrice} is lower than the minimum required Spot request fulfillment price of ${price}.`,
    );
  }

  #launchOne(valid: ValidLaunch, request: Request, { template }: Choice, reservationId: string): Instance {
    const { input, market, fleetId } = request;
    const tags = new Map([
      ...specifiedTags(template.data.TagSpecifications, 'instance'),
      ...specifiedTags(input.TagSpecifications, 'instance'),
      ['aws:ec2:fleet-id', fleetId],
      ['aws:ec2launchtemplate:id', template.id],
      ['aws:ec2launchtemplate:version', '1'],
    ]);
    const clientToken = input.ClientToken ?? fleetId;
    return this.#options.lifecycle.launch(valid, { market, tags, clientToken, reservationId, fleetId });
  }

  /** Counts a fleet while any of its instances is not terminated. */
  #isOverQuota(): boolean {
    const { world, faults } = this.#options;
    const fleets = new Set<string>();
    for (const instance of world.instances.values()) {
      if (instance.fleetId !== undefined && isHolding(instance)) fleets.add(instance.fleetId);
    }
    return fleets.size >= faults.current.quotas.fleets;
  }
}

function checkShape(input: InputOf<'createFleet'>): void {
  if ((input.LaunchTemplateConfigs ?? []).length === 0) throw missingParameter('LaunchTemplateConfigs');
  if (input.Type !== 'instant') {
    throw invalidParameterValue(
      `The fleet type '${input.Type ?? 'maintain'}' is not simulated; use instant.`,
    );
  }
  if (targetOf(input) < 1) {
    throw invalidParameterValue('TotalTargetCapacity must be greater than or equal to 1.');
  }
}

function targetOf({ TargetCapacitySpecification: target }: InputOf<'createFleet'>): number {
  return target?.TotalTargetCapacity ?? 0;
}

function marketOf({ TargetCapacitySpecification: target }: InputOf<'createFleet'>): 'on-demand' | 'spot' {
  return target?.DefaultTargetCapacityType === 'spot' ? 'spot' : 'on-demand';
}

/**
 * Groups on-demand choices that differ only in the zone, because EC2 spreads their instances over the zones. The first
 * zone depends on the fleet id, so that fleets of one instance are spread too. Spot choices are not grouped: each pool
 * has its own price.
 */
function tiedChoices(
  choices: readonly Choice[],
  { market, fleetId }: Request,
): readonly (readonly Choice[])[] {
  if (market === 'spot') return choices.map((choice) => [choice]);
  const isSameType = (a: Choice, b: Choice) => a.spec.type === b.spec.type && a.template === b.template;
  return ties(choices, isSameType).map((tied) => {
    const first = hashText(fleetId) % tied.length;
    return [...tied.slice(first), ...tied.slice(0, first)];
  });
}

function strategyOf({ input, market }: Request): string {
  const { SpotOptions, OnDemandOptions } = input;
  return (market === 'spot' ? SpotOptions : OnDemandOptions)?.AllocationStrategy ?? 'lowest-price';
}

function tooManyFleets(): Refusal {
  return new Refusal(
    'MaxFleetCountExceeded',
    'You have reached the maximum number of fleets for this account.',
  );
}

function described({
  template,
  version,
  override,
  spec,
  zone,
}: Choice): Ec2FleetError['LaunchTemplateAndOverrides'] {
  const { Priority, MaxPrice, ImageId } = override;
  const { InstanceType = instanceTypeOf(spec) } = override;
  return {
    LaunchTemplateSpecification: { LaunchTemplateId: template.id, Version: version },
    Overrides: {
      InstanceType,
      SubnetId: spec.subnetId,
      AvailabilityZone: zone,
      ...(Priority !== undefined && { Priority }),
      ...(MaxPrice !== undefined && { MaxPrice }),
      ...(ImageId !== undefined && { ImageId }),
    },
  };
}

function instanceTypeOf({ type }: LaunchSpec): Ec2FleetOverride['InstanceType'] {
  return isInstanceTypeName(type) ? type : undefined;
}

function errorOf(choice: Choice, { market }: Request, refusal: Refusal): Ec2FleetError {
  return {
    LaunchTemplateAndOverrides: described(choice),
    Lifecycle: market,
    ErrorCode: refusal.code,
    ErrorMessage: refusal.message,
  };
}

function instancesOf(choice: Choice, { market }: Request, launched: readonly Instance[]): FleetInstance {
  const [first] = launched;
  return {
    LaunchTemplateAndOverrides: described(choice),
    Lifecycle: market,
    InstanceIds: launched.map(({ id }) => id),
    ...(first !== undefined && { InstanceType: first.type, ...(first.isWindows && { Platform: 'Windows' }) }),
  };
}

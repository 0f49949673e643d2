import type { CreateFleetError } from '@aws-sdk/client-ec2';
import type { NodeClaim, NodePool } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { Log } from '@karpenter/core/ports';
import {
  type InstanceType,
  insufficientCapacity,
  isInsufficientCapacity,
  launchFailed,
  nodeClassNotReady,
} from '@karpenter/core/ports';
import type { Clock } from '@karpenter/kube/runtime';
import { YieldBudget } from '@karpenter/kube/yielding';
import { errorText, failureReasonOf, isLaunchTemplateNotFound } from '../aws-errors/index.ts';
import type { BatchedEc2, FleetResponse } from '../batching/index.ts';
import type { Ec2Instance, LaunchesInFlight } from '../instances/index.ts';
import type { BatchEntry } from '../launch-batches/index.ts';
import {
  type LaunchFacts,
  type LaunchTemplateProvider,
  planTemplates,
  requestedPartition,
} from '../launch-templates/index.ts';
import type { SubnetAddresses, SubnetLease } from '../network/index.ts';
import type { EC2NodeClass } from '../node-class/index.ts';
import type { OfferingName } from '../offerings/index.ts';
import { type CapacityTrackers, recordLaunchError } from './capacity-trackers.ts';
import {
  type AttemptedLaunch,
  FleetError,
  failureLabel,
  isOnlyCapacity,
  launchErrorEffects,
  readFleetError,
} from './fleet-errors.ts';
import { type FleetFacts, fleetRequest, type NamedTemplate } from './fleet-request.ts';
import { launchedInstance, reservationIn } from './launched-instance.ts';
import { SuspectOfferings } from './suspect-offerings.ts';
import {
  type ChosenTypes,
  chooseCapacityType,
  chooseTenancy,
  chooseTypes,
  flexibilityWarning,
} from './type-choice.ts';

/** Settings and facts of the cluster that apply to every launch. */
export interface LaunchSettings extends Pick<LaunchFacts, 'cluster' | 'region' | 'reservedCapacity'> {
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
}

export interface LaunchRequest {
  readonly nodeClass: EC2NodeClass;
  readonly nodeClaim: NodeClaim;
  /** The batch of the claim, as it was before the search for instances that exist already (ADR 0036). */
  readonly batch: BatchEntry;
  /** The NodePool of the claim; undefined if it was deleted. */
  readonly nodePool?: NodePool | undefined;
  /** With the NodeOverlays of the pool applied. Choices are cached by this list object. */
  readonly instanceTypes: readonly InstanceType[];
  readonly tags: Readonly<Record<string, string>>;
  readonly placementGroupId?: string | undefined;
}

export interface Launched {
  readonly instance: Ec2Instance;
  readonly type: InstanceType;
}

/** Labels of the metric on failed launches. */
interface CountedFailure {
  readonly zone: string;
  readonly zone_id: string;
  readonly capacity_type: string;
  readonly reason: string;
}

export interface LauncherOptions {
  readonly ec2: Pick<BatchedEc2, 'createFleet'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly log: Log;
  readonly templates: Pick<LaunchTemplateProvider, 'ensure' | 'invalidate'>;
  readonly subnets: SubnetAddresses;
  readonly trackers: Omit<CapacityTrackers, 'subnets'>;
  readonly launches: Pick<LaunchesInFlight, 'during'>;
  /** Called for each launch, because the cluster DNS address and service CIDR are discovered after start-up. */
  readonly settings: () => LaunchSettings;
  readonly onFailure?: (failure: CountedFailure) => void;
  /** Called if the account lacks the service-linked role for spot, so that no spot instance can be launched. */
  readonly onSpotRoleNotPermitted?: (nodeClaim: NodeClaim) => void;
}

interface Attempt {
  readonly request: LaunchRequest;
  readonly chosen: ChosenTypes;
  readonly facts: LaunchFacts;
}

/** Turns a NodeClaim into a running instance. */
export class Launcher {
  readonly #options: LauncherOptions;
  /** Error lists that were recorded already. */
  readonly #recorded = new WeakSet<readonly CreateFleetError[]>();
  /** Thousands of launches are prepared at once, which must not block the event loop. */
  readonly #yieldBudget: YieldBudget;
  readonly #suspects: SuspectOfferings;

  constructor(options: LauncherOptions) {
    this.#options = options;
    this.#suspects = new SuspectOfferings({
      unavailableOfferings: options.trackers.unavailableOfferings,
      log: options.log,
    });
    this.#yieldBudget = new YieldBudget(options.clock);
  }

  /**
   * insufficientCapacity and nodeClassNotReady give the claim up; the caller retries after any other
   * rejection. While it runs, garbage collection spares instances that it may have launched.
   */
  launch(request: LaunchRequest): Promise<Launched> {
    return this.#options.launches.during(() => this.#launch(request));
  }

  async #launch(request: LaunchRequest): Promise<Launched> {
    const attempt = await this.#yieldBudget.run(() => this.#prepare(request));
    try {
      return await this.#launchOnce(attempt);
    } catch (error) {
      // A template in our cache was deleted in EC2. Karpenter too retries once, and only for this error code. The
      // failed attempt has dropped its templates from the cache, so this one creates them again.
      if (!(error instanceof CodedError) || !isLaunchTemplateNotFound(error.cause)) throw error;
      return await this.#launchOnce(attempt);
    }
  }

  #prepare(request: LaunchRequest): Attempt {
    const { minValuesPolicy, ...shared } = this.#options.settings();
    const chosen = chooseTypes(request.nodeClaim, request.instanceTypes, minValuesPolicy);
    const { required, types, rejected } = chosen;
    const { log } = this.#options;
    for (const { filter, names } of rejected) {
      log.debug('filtered out instance types from launch', { filter, 'instance-types': names.join(', ') });
    }
    const capacityType = chooseCapacityType(types, required);
    const warning = flexibilityWarning(types, capacityType, required);
    // An error line, as in Karpenter, although the launch goes on.
    if (warning !== undefined) log.error('failed while checking on-demand fallback', { error: warning });
    const { nodeClass, nodeClaim, tags, placementGroupId } = request;
    const tenancy = chooseTenancy(required);
    return {
      request,
      chosen,
      facts: { ...shared, nodeClass, nodeClaim, tags, placementGroupId, capacityType, tenancy },
    };
  }

  async #launchOnce(attempt: Attempt): Promise<Launched> {
    const lease = await this.#yieldBudget.run(() => this.#lease(attempt));
    const used = new Set<string>();
    try {
      const templates = await this.#ensureTemplates(attempt);
      const response = await this.#createFleet(attempt, fleetFacts(attempt, templates, lease));
      // Before `#launched`, which throws if there is no instance: shortages count in both cases.
      this.#recordErrors(response, attempt);
      const launched = this.#launched(response, attempt, lease);
      if (launched.instance.subnetId !== undefined) used.add(launched.instance.subnetId);
      return launched;
    } finally {
      // After a failure too: the addresses would stay reserved until EC2 reports the subnets again.
      lease.settle(used);
    }
  }

  #lease({ request, chosen, facts }: Attempt): SubnetLease {
    try {
      return this.#options.subnets.lease({
        subnets: request.nodeClass.status?.subnets ?? [],
        types: chosen.types,
        capacityType: facts.capacityType,
        required: chosen.required,
      });
    } catch (error) {
      throw launchFailed(`getting subnets, ${errorText(error)}`, {
        reason: 'SubnetResolutionFailed',
        conditionMessage: 'Error getting subnets',
        cause: error,
      });
    }
  }

  async #ensureTemplates({ facts, chosen }: Attempt): Promise<readonly NamedTemplate[]> {
    try {
      const planned = await this.#yieldBudget.run(() => planTemplates(facts, chosen.types, chosen.required));
      return await Promise.all(
        planned.map(async (template) => ({
          ...template,
          name: await this.#options.templates.ensure(template.options),
        })),
      );
    } catch (error) {
      // AL2023 user data needs the CIDR, which the validation of the class resolves. No template was created.
      if (error instanceof CodedError && error.code === 'unknown-cluster-cidr') {
        throw nodeClassNotReady(error.message, { cause: error });
      }
      throw failed('getting launch template configs', 'Error getting launch template configs', error);
    }
  }

  async #createFleet({ request }: Attempt, facts: FleetFacts): Promise<FleetResponse> {
    const { ec2 } = this.#options;
    const { nodeClaim, batch } = request;
    const claim = nodeClaim.metadata.uid ?? nodeClaim.metadata.name;
    try {
      return await this.#yieldBudget.run(() => ec2.createFleet({ input: fleetRequest(facts), batch, claim }));
    } catch (error) {
      // `fleetRequest` found no override to send; `failed` would turn that into a launch failure.
      if (isInsufficientCapacity(error)) throw error;
      if (!isLaunchTemplateNotFound(error)) {
        throw failed('creating fleet request', 'Error creating fleet request', error);
      }
      for (const { name } of facts.templates) this.#options.templates.invalidate(name);
      throw failed('creating fleet request', 'Launch templates not found when creating fleet request', error);
    }
  }

  /**
   * Launches that shared a request get the same list of errors, which is counted and recorded once (ADR 0022);
   * Karpenter does so for each of them.
   */
  #recordErrors(response: FleetResponse, attempt: Attempt): void {
    const { Errors: errors = [], FleetId: fleetId } = response;
    const { trackers, subnets, onSpotRoleNotPermitted } = this.#options;
    const effects = launchErrorEffects(errors, attemptedLaunch(attempt));
    if (!this.#recorded.has(errors)) {
      this.#recorded.add(errors);
      this.#count(errors, attempt);
      for (const effect of effects) {
        recordLaunchError(effect, { ...trackers, subnets }, fleetId);
        if (effect.kind === 'reservation-exhausted') this.#logExhausted(effect.reservationId);
      }
    }
    const { capacityType, placementGroupId: placementGroup } = attempt.facts;
    const { nodePool } = attempt.request;
    // For each launch: those of one request may have chosen among different types.
    this.#suspects.note(response, { chosen: attempt.chosen, capacityType, placementGroup, nodePool });
    // For each launch: the event belongs to the NodeClaim.
    if (effects.some(({ kind }) => kind === 'capacity-type-unavailable')) {
      onSpotRoleNotPermitted?.(attempt.request.nodeClaim);
    }
  }

  #logExhausted(reservationId: string): void {
    this.#options.log.debug('marking capacity reservation unavailable', {
      'capacity-reservation-id': reservationId,
    });
  }

  #count(errors: readonly CreateFleetError[], { request, facts }: Attempt): void {
    const { onFailure } = this.#options;
    const zoneIds = new Map(request.nodeClass.status?.subnets?.map(({ zone, zoneID }) => [zone, zoneID]));
    for (const error of errors) {
      const { zone } = readFleetError(error);
      onFailure?.({
        zone,
        zone_id: zoneIds.get(zone) ?? '',
        capacity_type: facts.capacityType,
        reason: failureLabel(error),
      });
    }
  }

  #launched(response: FleetResponse, { request, chosen, facts }: Attempt, lease: SubnetLease): Launched {
    const found = launchedInstance(response, {
      chosen,
      facts,
      subnets: lease.byZone,
      now: this.#options.clock.now(),
    });
    if (found === undefined) throw nothingStarted(response);
    const { reservation } = found;
    const { trackers } = this.#options;
    if (reservation !== undefined) trackers.reservations.markLaunched(reservation.id);
    else trackers.unavailableOfferings.markLaunched(offeringOf(found));
    const type = request.instanceTypes.find(({ name }) => name === found.type);
    if (type === undefined) throw unexpectedType(found);
    return { instance: found, type };
  }
}

function attemptedLaunch({ request, chosen, facts }: Attempt): AttemptedLaunch {
  return {
    capacityType: facts.capacityType,
    instanceTypes: chosen.types.map(({ name }) => name),
    placementGroup: facts.placementGroupId,
    partition: facts.placementGroupId === undefined ? undefined : requestedPartition(request.nodeClaim),
    reservationFor: (type, zone) => reservationIn(chosen, type, zone)?.id,
  };
}

function fleetFacts(
  { request, chosen, facts }: Attempt,
  templates: readonly NamedTemplate[],
  lease: SubnetLease,
): FleetFacts {
  return {
    capacityType: facts.capacityType,
    templates,
    subnets: lease.byZone,
    required: chosen.required,
    tags: request.tags,
    context: request.nodeClass.spec.context,
    annotations: request.nodeClaim.metadata.annotations,
  };
}

function failed(doing: string, prefix: string, error: unknown): CodedError {
  const { reason, message } = failureReasonOf(error);
  return launchFailed(`${doing}, ${errorText(error)}`, {
    reason,
    conditionMessage: `${prefix}: ${message}`,
    cause: error,
  });
}

function nothingStarted({ Errors: errors = [] }: FleetResponse): CodedError {
  const cause = new FleetError(errors);
  if (isOnlyCapacity(errors)) return insufficientCapacity(cause.message, { cause });
  const { reason, message } = failureReasonOf(cause);
  return launchFailed(cause.message, {
    reason,
    conditionMessage: `Error creating fleet request: ${message}`,
    cause,
  });
}

function offeringOf(instance: Ec2Instance): OfferingName {
  const { type, zone, capacityType, placementGroupId, partition } = instance;
  return { instanceType: type, zone, capacityType, placementGroup: placementGroupId, partition };
}

function unexpectedType({ id, type }: Ec2Instance): CodedError {
  return new CodedError(
    'aws-call-failed',
    `instance ${id} is of type ${type}, which was not among those that were asked for`,
    { details: { id, type } },
  );
}

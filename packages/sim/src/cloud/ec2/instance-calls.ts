import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import { invalidParameterValue, missingParameter, Refusal } from '../calls/refusal.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import { resourceId } from '../world/identifiers.ts';
import { type Instance, stateCodes } from '../world/instance.ts';
import { specifiedTags } from '../world/tags.ts';
import type { CloudWorld } from '../world/world.ts';
import { describeInstance, statusOf } from './described-instance.ts';
import { refuseDryRun } from './dry-run.ts';
import { type FilterFields, matching } from './filters.ts';
import type { InstanceLifecycle, LaunchDetails } from './instance-lifecycle.ts';
import { malformedUserData, runSpecOf, templateOf, userDataTooLarge } from './launch-spec.ts';
import { type ValidLaunch, validateLaunch } from './launch-validation.ts';
import { pageOf, sequenceKey } from './paging.ts';
import type { DescribedReservation, InputOf, OutputOf } from './shapes.ts';

export interface InstanceCallsOptions {
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly faults: FaultBoard;
  readonly lifecycle: InstanceLifecycle;
}

const fields: FilterFields<Instance> = {
  architecture: ({ architecture }) => architecture,
  'availability-zone': ({ zone }) => zone,
  'availability-zone-id': ({ zoneId }) => zoneId,
  'capacity-reservation-id': ({ capacityReservationId }) => capacityReservationId,
  'client-token': ({ clientToken }) => clientToken,
  'iam-instance-profile.arn': ({ profileArn }) => profileArn,
  'iam-instance-profile.name': ({ profileName }) => profileName,
  'image-id': ({ imageId }) => imageId,
  'instance-id': ({ id }) => id,
  'instance-lifecycle': ({ capacityType }) => (capacityType === 'spot' ? 'spot' : undefined),
  'instance-state-code': ({ state }) => String(stateCodes[state]),
  'instance-state-name': ({ state }) => state,
  'instance-type': ({ type }) => type,
  'instance.group-id': ({ interfaces }) => interfaces.flatMap(({ groups }) => groups),
  'network-interface.subnet-id': ({ subnetId }) => subnetId,
  'placement-group-name': ({ placement }) => placement.groupName,
  'private-dns-name': ({ privateDnsName }) => privateDnsName,
  'private-ip-address': ({ privateIp }) => privateIp,
  'reservation-id': ({ reservationId }) => reservationId,
  'spot-instance-request-id': ({ spotRequestId }) => spotRequestId,
  'subnet-id': ({ subnetId }) => subnetId,
  tenancy: ({ placement }) => placement.tenancy,
  'vpc-id': ({ vpcId }) => vpcId,
};

const statusFields: FilterFields<Instance> = {
  'availability-zone': ({ zone }) => zone,
  'event.code': ({ events }) => events.map(({ code }) => code),
  'event.description': ({ events }) => events.map(({ description }) => description),
  'instance-state-code': ({ state }) => String(stateCodes[state]),
  'instance-state-name': ({ state }) => state,
  'instance-status.reachability': ({ health }) =>
    health.instanceImpairedSince === undefined ? 'passed' : 'failed',
  'instance-status.status': ({ health }) => (health.instanceImpairedSince === undefined ? 'ok' : 'impaired'),
  'system-status.reachability': ({ health }) =>
    health.systemImpairedSince === undefined ? 'passed' : 'failed',
  'system-status.status': ({ health }) => (health.systemImpairedSince === undefined ? 'ok' : 'impaired'),
};

/** RunInstances, TerminateInstances and the describe calls for instances and their status. */
export class InstanceCalls {
  readonly #options: InstanceCallsOptions;

  constructor(options: InstanceCallsOptions) {
    this.#options = options;
  }

  describe(input: InputOf<'describeInstances'>): OutputOf<'describeInstances'> {
    refuseDryRun(input.DryRun);
    if ((input.InstanceIds ?? []).length > 0 && input.MaxResults !== undefined) {
      throw new Refusal(
        'InvalidParameterCombination',
        'The parameter instancesSet cannot be used with the parameter maxResults',
      );
    }
    const found = matching(this.#selected(input.InstanceIds), input.Filters, fields);
    const { items, NextToken } = pageOf(found, keyOf, input, { min: 5, max: 1_000 });
    return { Reservations: this.#reservations(items), NextToken };
  }

  describeStatus(input: InputOf<'describeInstanceStatus'>): OutputOf<'describeInstanceStatus'> {
    refuseDryRun(input.DryRun);
    const selected = this.#selected(input.InstanceIds).filter(
      ({ state }) => input.IncludeAllInstances === true || state === 'running',
    );
    const { items, NextToken } = pageOf(matching(selected, input.Filters, statusFields), keyOf, input, {
      min: 5,
      max: 1_000,
    });
    return { InstanceStatuses: items.map((instance) => statusOf(instance)), NextToken };
  }

  terminate({ InstanceIds, DryRun }: InputOf<'terminateInstances'>): OutputOf<'terminateInstances'> {
    const instances = this.#named(InstanceIds ?? []);
    if (instances.length === 0) throw missingParameter('InstanceIds');
    refuseDryRun(DryRun);
    return {
      TerminatingInstances: instances.map((instance) => {
        const before = instance.state;
        this.#options.lifecycle.terminate(instance, 'Client.UserInitiatedShutdown');
        return {
          InstanceId: instance.id,
          PreviousState: { Code: stateCodes[before], Name: before },
          CurrentState: { Code: stateCodes[instance.state], Name: instance.state },
        };
      }),
    };
  }

  run(input: InputOf<'runInstances'>, token: string): OutputOf<'runInstances'> {
    const { world, clock, chance, faults } = this.#options;
    const count = countOf(input);
    const refusal = malformedUserData(input.UserData) ?? userDataTooLarge(input.UserData);
    if (refusal !== undefined) throw refusal;
    const valid = validateLaunch(runSpecOf(world, input), {
      world,
      now: clock.now(),
      profileLag: faults.current.consistency.profile,
    });
    refuseDryRun(input.DryRun);
    const reservationId = resourceId('r', chance);
    const launched = this.#launchMany(valid, count, {
      market: input.InstanceMarketOptions?.MarketType === 'spot' ? 'spot' : 'on-demand',
      tags: this.#tagsOf(input),
      clientToken: input.ClientToken ?? token,
      reservationId,
    });
    return {
      ReservationId: reservationId,
      OwnerId: world.accountId,
      Groups: [],
      Instances: launched.map((instance) => describeInstance(instance, world)),
    };
  }

  /**
   * Launches between MinCount and MaxCount instances. Below MinCount it terminates those it launched and
   * refuses.
   */
  #launchMany(valid: ValidLaunch, { min, max }: Count, details: LaunchDetails): readonly Instance[] {
    const { lifecycle } = this.#options;
    const launched: Instance[] = [];
    try {
      while (launched.length < max) launched.push(lifecycle.launch(valid, details));
    } catch (error) {
      if (launched.length >= min) return launched;
      for (const instance of launched) lifecycle.terminate(instance, 'Server.InternalError');
      throw error;
    }
    return launched;
  }

  #tagsOf(input: InputOf<'runInstances'>): Map<string, string> {
    const { world } = this.#options;
    const template = input.LaunchTemplate === undefined ? undefined : templateOf(world, input.LaunchTemplate);
    return new Map([
      ...specifiedTags(template?.data.TagSpecifications, 'instance'),
      ...specifiedTags(input.TagSpecifications, 'instance'),
    ]);
  }

  /** The instances with the given ids, or all that are visible to describe calls by now. */
  #selected(ids: readonly string[] | undefined): readonly Instance[] {
    if (ids !== undefined && ids.length > 0) return this.#named(ids);
    const now = this.#options.clock.now();
    return [...this.#options.world.instances.values()].filter(({ visibleAt }) => visibleAt <= now);
  }

  /** The instances with these ids; throws NotFound with the ids that do not exist or are not visible yet. */
  #named(ids: readonly string[]): readonly Instance[] {
    const malformed = ids.find((id) => !/^i-([0-9a-f]{8}|[0-9a-f]{17})$/.test(id));
    if (malformed !== undefined)
      throw new Refusal('InvalidInstanceID.Malformed', `Invalid id: "${malformed}"`);
    const now = this.#options.clock.now();
    const found = [...new Set(ids)].flatMap((id) => this.#options.world.instances.get(id) ?? []);
    const visible = found.filter(({ visibleAt }) => visibleAt <= now);
    const missing = ids.filter((id) => !visible.some((instance) => instance.id === id));
    if (missing.length === 0) return visible;
    throw new Refusal(
      'InvalidInstanceID.NotFound',
      missing.length === 1
        ? `The instance ID '${missing[0]}' does not exist`
        : `The instance IDs '${missing.join(', ')}' do not exist`,
    );
  }

  #reservations(instances: readonly Instance[]): DescribedReservation[] {
    const { world } = this.#options;
    const byReservation = new Map<string, Instance[]>();
    for (const instance of instances) {
      const members = byReservation.get(instance.reservationId);
      if (members === undefined) byReservation.set(instance.reservationId, [instance]);
      else members.push(instance);
    }
    return [...byReservation].map(([ReservationId, members]) => ({
      ReservationId,
      OwnerId: world.accountId,
      Groups: [],
      Instances: members.map((instance) => describeInstance(instance, world)),
    }));
  }
}

function keyOf({ sequence }: Instance): string {
  return sequenceKey(sequence);
}

interface Count {
  readonly min: number;
  readonly max: number;
}

function countOf({ MinCount, MaxCount }: InputOf<'runInstances'>): Count {
  if (MaxCount === undefined || MinCount === undefined) throw missingParameter('MinCount');
  if (MinCount < 1 || MaxCount < MinCount) {
    throw invalidParameterValue(`Value (${MinCount}) for parameter minCount is invalid.`);
  }
  return { min: MinCount, max: MaxCount };
}

import { Refusal } from '../calls/refusal.ts';
import type { InstanceLifecycle } from '../ec2/instance-lifecycle.ts';
import { pageOf } from '../ec2/paging.ts';
import { type AutoScalingGroup, groupNameTag } from '../world/auto-scaling-group.ts';
import { type Instance, isAlive } from '../world/instance.ts';
import type { CloudWorld } from '../world/world.ts';
import { describedGroup, type GroupInput, type GroupOutput } from './described-group.ts';
import type { GroupScaling } from './group-scaling.ts';

export interface GroupCallsOptions {
  readonly world: CloudWorld;
  readonly scaling: GroupScaling;
  readonly lifecycle: InstanceLifecycle;
}

/** The processes that can be suspended; a call that names none suspends all of them. */
const processes = [
  'Launch',
  'Terminate',
  'AddToLoadBalancer',
  'AlarmNotification',
  'AZRebalance',
  'HealthCheck',
  'InstanceRefresh',
  'ReplaceUnhealthy',
  'ScheduledActions',
];

/** The calls of Auto Scaling, with its error messages. */
export class GroupCalls {
  readonly #options: GroupCallsOptions;

  constructor(options: GroupCallsOptions) {
    this.#options = options;
  }

  describe(input: GroupInput<'describeAutoScalingGroups'>): GroupOutput<'describeAutoScalingGroups'> {
    const { world, scaling } = this.#options;
    const { AutoScalingGroupNames: names = [], Filters = [], MaxRecords, NextToken } = input;
    const wanted = [...world.autoScalingGroups.values()]
      .filter(({ name }) => names.length === 0 || names.includes(name))
      .filter((group) => Filters.every((filter) => matches(group, filter)));
    const page = pageOf(
      wanted,
      ({ name }) => name,
      { MaxResults: MaxRecords, NextToken },
      { min: 1, max: 100 },
    );
    return {
      AutoScalingGroups: page.items.map((group) => describedGroup(group, scaling.members(group), world)),
      NextToken: page.NextToken,
    };
  }

  update(input: GroupInput<'updateAutoScalingGroup'>): object {
    const group = this.#named(input.AutoScalingGroupName);
    const min = input.MinSize ?? group.min;
    const max = input.MaxSize ?? group.max;
    if (min > max) throw invalid(`Max bound, ${max}, must be greater than or equal to min bound, ${min}`);
    const desired = input.DesiredCapacity ?? Math.min(max, Math.max(min, group.desired));
    checkDesired(desired, min, max);
    Object.assign(group, { min, max, desired });
    this.#options.scaling.changed(group);
    return {};
  }

  suspend(input: GroupInput<'suspendProcesses'>): object {
    const group = this.#named(input.AutoScalingGroupName);
    group.suspended = [...new Set([...group.suspended, ...processesOf(input.ScalingProcesses)])];
    return {};
  }

  resume(input: GroupInput<'resumeProcesses'>): object {
    const group = this.#named(input.AutoScalingGroupName);
    const resumed = processesOf(input.ScalingProcesses);
    group.suspended = group.suspended.filter((process) => !resumed.includes(process));
    this.#options.scaling.changed(group);
    return {};
  }

  terminate(
    input: GroupInput<'terminateInstanceInAutoScalingGroup'>,
  ): GroupOutput<'terminateInstanceInAutoScalingGroup'> {
    const { instance, group } = this.#member(input.InstanceId ?? '');
    if (input.ShouldDecrementDesiredCapacity === true) {
      if (group.desired <= group.min)
        throw invalid(
          `Currently, desiredSize equals minSize (${group.min}). Terminating instance without replacement will violate group's min size constraint. Either set shouldDecrementDesiredCapacity flag to false or lower group's min size.`,
        );
      group.desired -= 1;
    }
    this.#options.lifecycle.terminate(instance, 'Client.UserInitiatedShutdown');
    return {
      Activity: {
        ActivityId: instance.id,
        AutoScalingGroupName: group.name,
        Cause: `instance ${instance.id} was taken out of service in response to a user request`,
        StartTime: new Date(instance.launchedAt),
        StatusCode: 'InProgress',
      },
    };
  }

  #member(id: string): { readonly instance: Instance; readonly group: AutoScalingGroup } {
    const { instances, autoScalingGroups } = this.#options.world;
    const instance = instances.get(id);
    const group = autoScalingGroups.get(instance?.tags.get(groupNameTag) ?? '');
    if (instance !== undefined && group !== undefined && isAlive(instance)) return { instance, group };
    throw invalid(`Instance Id not found - No managed instance found for instance ID: ${id}`);
  }

  #named(name: string | undefined): AutoScalingGroup {
    const group = this.#options.world.autoScalingGroups.get(name ?? '');
    if (group === undefined) throw invalid(`AutoScalingGroup name not found - null`);
    return group;
  }
}

type Filter = NonNullable<GroupInput<'describeAutoScalingGroups'>['Filters']>[number];

function matches({ tags }: AutoScalingGroup, { Name = '', Values = [] }: Filter): boolean {
  if (Name === 'tag-key') return Values.some((key) => tags.has(key));
  if (Name.startsWith('tag:')) return Values.includes(tags.get(Name.slice('tag:'.length)) ?? '');
  throw invalid(`Filter type ${Name} is not correct. Allowed Filter types are: tag-key tag-value tag:<key>`);
}

function processesOf(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined || names.length === 0) return processes;
  const unknown = names.find((name) => !processes.includes(name));
  if (unknown !== undefined) throw invalid(`Unknown process type ${unknown}`);
  return names;
}

function checkDesired(desired: number, min: number, max: number): void {
  if (desired >= min && desired <= max) return;
  const bounds = `min size:${min} and max size:${max}`;
  throw invalid(`Desired capacity:${desired} must be between the specified ${bounds}`);
}

function invalid(message: string): Refusal {
  return new Refusal('ValidationError', message);
}

import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import { Refusal } from '../calls/refusal.ts';
import type { InstanceLifecycle } from '../ec2/instance-lifecycle.ts';
import { specOf, templateOf } from '../ec2/launch-spec.ts';
import { validateLaunch } from '../ec2/launch-validation.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import type { Agenda } from '../world/agenda.ts';
import type { AgendaTask } from '../world/agenda-task.ts';
import { type AutoScalingGroup, groupNameTag, zoneRebalance } from '../world/auto-scaling-group.ts';
import { resourceId } from '../world/identifiers.ts';
import { type Instance, isAlive } from '../world/instance.ts';
import type { Subnet } from '../world/subnet.ts';
import { specifiedTags } from '../world/tags.ts';
import type { CloudWorld } from '../world/world.ts';

export interface GroupScalingOptions {
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly faults: FaultBoard;
  readonly agenda: Agenda<AgendaTask>;
  readonly lifecycle: InstanceLifecycle;
}

/** Delay before a group acts on a new size or a lost instance, and before it retries a failed launch. */
const delaysMs = { changed: 1_000, lost: 15_000, refused: 60_000 };

/** Launches and terminates the instances of groups: towards the desired size, and evenly over the zones. */
export class GroupScaling {
  readonly #options: GroupScalingOptions;

  constructor(options: GroupScalingOptions) {
    this.#options = options;
    options.lifecycle.onChange((instance, state) => {
      if (state === 'shutting-down') this.#schedule(instance.tags.get(groupNameTag), delaysMs.lost);
    });
  }

  /** Must be called after each change of the group. */
  changed({ name }: AutoScalingGroup): void {
    this.#schedule(name, delaysMs.changed);
  }

  members({ name }: AutoScalingGroup): readonly Instance[] {
    return [...this.#options.world.instances.values()].filter(
      (instance) => isAlive(instance) && instance.tags.get(groupNameTag) === name,
    );
  }

  /** Makes the group as large as desired, then moves one instance if the zones are uneven. */
  scale(name: string): void {
    const group = this.#options.world.autoScalingGroups.get(name);
    if (group === undefined) return;
    while (this.members(group).length < group.desired) if (!this.#launch(group)) return;
    for (const surplus of this.#surplus(group)) this.#terminate(surplus);
    this.#rebalance(group);
  }

  #schedule(groupName: string | undefined, delayMs: number): void {
    if (groupName === undefined) return;
    this.#options.agenda.after(delayMs, { kind: 'scale-group', groupName });
  }

  /** The instances to terminate: the oldest in the zone with the most, as in the default termination policy. */
  #surplus(group: AutoScalingGroup): readonly Instance[] {
    const left = [...this.members(group)];
    const victims: Instance[] = [];
    while (left.length > group.desired) {
      const victim = oldestOfFullestZone(left);
      if (victim === undefined) break;
      victims.push(victim);
      left.splice(left.indexOf(victim), 1);
    }
    return victims;
  }

  #rebalance(group: AutoScalingGroup): void {
    if (group.suspended.includes(zoneRebalance)) return;
    const members = this.members(group);
    const counts = this.#subnets(group).map(({ zone }) => countIn(members, zone));
    if (Math.max(...counts) - Math.min(...counts) < 2) return;
    const victim = oldestOfFullestZone(members);
    // The new instance first, as Auto Scaling does, so that the group never has fewer than desired.
    if (victim !== undefined && this.#launch(group)) this.#terminate(victim);
  }

  #terminate(instance: Instance): void {
    this.#options.lifecycle.terminate(instance, 'Client.UserInitiatedShutdown');
  }

  /** Launches in the zone with the fewest instances. Returns false if EC2 refuses every type, and retries later. */
  #launch(group: AutoScalingGroup): boolean {
    const members = this.members(group);
    const [subnet] = this.#subnets(group).sort((a, b) => countIn(members, a.zone) - countIn(members, b.zone));
    const types = group.instanceTypes.length === 0 ? [undefined] : group.instanceTypes;
    if (subnet !== undefined && types.some((type) => this.#launchType(group, subnet, type))) return true;
    this.#schedule(group.name, delaysMs.refused);
    return false;
  }

  #launchType(group: AutoScalingGroup, subnet: Subnet, type: string | undefined): boolean {
    const { world, clock, chance, faults, lifecycle } = this.#options;
    try {
      const template = templateOf(world, { LaunchTemplateId: group.templateId });
      const spec = specOf(template.data, { type, subnetId: subnet.id });
      const { profile } = faults.current.consistency;
      const valid = validateLaunch(spec, { world, now: clock.now(), profileLag: profile });
      const tags = new Map([
        ...specifiedTags(template.data.TagSpecifications, 'instance'),
        ...group.tags,
        [groupNameTag, group.name],
      ]);
      const reservationId = resourceId('r', chance);
      lifecycle.launch(valid, {
        market: this.#market(group),
        tags,
        clientToken: reservationId,
        reservationId,
      });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  /** The base is on demand; of the rest the percentage is, rounded up in favour of on demand as AWS documents it. */
  #market(group: AutoScalingGroup): 'on-demand' | 'spot' {
    const members = this.members(group);
    const onDemand = members.filter(({ capacityType }) => capacityType !== 'spot').length;
    if (onDemand < group.onDemandBase) return 'on-demand';
    const above = members.length - group.onDemandBase + 1;
    const wanted = Math.ceil((above * group.onDemandPercentage) / 100);
    return onDemand - group.onDemandBase < wanted ? 'on-demand' : 'spot';
  }

  #subnets({ subnetIds }: AutoScalingGroup): Subnet[] {
    return subnetIds.flatMap((id) => this.#options.world.subnets.get(id) ?? []);
  }
}

function countIn(members: readonly Instance[], zone: string): number {
  return members.filter((member) => member.zone === zone).length;
}

function oldestOfFullestZone(members: readonly Instance[]): Instance | undefined {
  const bySize = [...members].sort(
    (a, b) => countIn(members, b.zone) - countIn(members, a.zone) || a.sequence - b.sequence,
  );
  return bySize[0];
}

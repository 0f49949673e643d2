import type { Clock } from '@karpenter/kube/runtime';
import type { AutoScalingGroup, Nodegroup } from '../world/auto-scaling-group.ts';
import { CapacityReservation, type SavedReservation } from '../world/capacity-reservation.ts';
import type { Image } from '../world/image.ts';
import { Queue, type SavedQueue } from '../world/queue.ts';
import { type SavedSubnet, Subnet } from '../world/subnet.ts';
import type { SavedTags, Tagged } from '../world/tags.ts';
import type {
  CloudWorld,
  InstanceProfile,
  Parameter,
  Role,
  SecurityGroup,
  Shift,
  SimulatedPlacementGroup,
} from '../world/world.ts';
import { restoreInstance, type SavedInstance, saveInstance } from './saved-instance.ts';
import { restoreTemplate, type SavedTemplate, saveTemplate } from './saved-template.ts';

type Untagged<Item extends Tagged> = Omit<Item, 'tags'> & { readonly tags: SavedTags };
type Plain = 'accountId' | 'region' | 'callerArn' | 'zones' | 'cluster';

/**
 * The world as plain data. The Record makes this fail to compile when a field of World has no counterpart
 * here.
 */
export interface SavedWorld
  extends Record<Exclude<keyof CloudWorld, Plain>, unknown>,
    Pick<CloudWorld, Plain> {
  readonly subnets: readonly SavedSubnet[];
  readonly securityGroups: readonly Untagged<SecurityGroup>[];
  readonly images: readonly Untagged<Image>[];
  readonly parameters: readonly Parameter[];
  readonly roles: readonly Role[];
  readonly instanceProfiles: readonly Untagged<InstanceProfile>[];
  readonly launchTemplates: readonly SavedTemplate[];
  readonly placementGroups: readonly Untagged<SimulatedPlacementGroup>[];
  readonly capacityReservations: readonly SavedReservation[];
  readonly instances: readonly SavedInstance[];
  readonly queues: readonly SavedQueue[];
  readonly shifts: readonly Shift[];
  readonly autoScalingGroups: readonly Untagged<AutoScalingGroup>[];
  readonly nodegroups: readonly Nodegroup[];
}

export function saveWorld(world: CloudWorld): SavedWorld {
  const { accountId, region, callerArn, zones, cluster } = world;
  return {
    accountId,
    region,
    callerArn,
    zones,
    cluster,
    subnets: all(world.subnets, (subnet) => subnet.save()),
    securityGroups: all(world.securityGroups, untagged),
    images: all(world.images, untagged),
    parameters: all(world.parameters, unchanged),
    roles: all(world.roles, unchanged),
    instanceProfiles: all(world.instanceProfiles, untagged),
    launchTemplates: all(world.launchTemplates, saveTemplate),
    placementGroups: all(world.placementGroups, untagged),
    capacityReservations: all(world.capacityReservations, (reservation) => reservation.save()),
    instances: all(world.instances, saveInstance),
    queues: all(world.queues, (queue) => queue.save()),
    shifts: all(world.shifts, unchanged),
    autoScalingGroups: all(world.autoScalingGroups, untagged),
    nodegroups: all(world.nodegroups, (nodegroup) => ({ ...nodegroup })),
  };
}

export function restoreWorld(saved: SavedWorld, clock: Clock): CloudWorld {
  const { accountId, region, callerArn, zones, cluster } = saved;
  const queues = saved.queues.map((queue) => Queue.restore(queue, clock));
  return {
    accountId,
    region,
    callerArn,
    zones,
    cluster,
    subnets: byId(saved.subnets.map((subnet) => Subnet.restore(subnet))),
    securityGroups: byId(saved.securityGroups.map(tagged)),
    images: byId(saved.images.map(tagged)),
    parameters: byName(saved.parameters),
    roles: byName(saved.roles),
    instanceProfiles: byName(saved.instanceProfiles.map(tagged)),
    launchTemplates: byId(saved.launchTemplates.map(restoreTemplate)),
    placementGroups: byId(saved.placementGroups.map(tagged)),
    capacityReservations: byId(saved.capacityReservations.map((each) => CapacityReservation.restore(each))),
    instances: byId(saved.instances.map(restoreInstance)),
    queues: byName(queues),
    shifts: new Map(saved.shifts.map((shift) => [shift.zoneId, shift])),
    // Accounts saved by earlier releases lack these fields.
    autoScalingGroups: byName((saved.autoScalingGroups ?? []).map(tagged)),
    nodegroups: byName((saved.nodegroups ?? []).map((nodegroup) => ({ ...nodegroup }))),
  };
}

function all<Item, Saved>(items: ReadonlyMap<string, Item>, save: (item: Item) => Saved): readonly Saved[] {
  return [...items.values()].map(save);
}

function unchanged<Item>(item: Item): Item {
  return item;
}

function untagged<Item extends Tagged>(item: Item): Untagged<Item> {
  return { ...item, tags: [...item.tags] };
}

function tagged<Saved extends { readonly tags: SavedTags }>(saved: Saved) {
  return { ...saved, tags: new Map(saved.tags) };
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.id, item]));
}

function byName<Item extends { readonly name: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.name, item]));
}

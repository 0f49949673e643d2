import { templateOf } from '../ec2/launch-spec.ts';
import type { InputOf, LaunchTemplateData } from '../ec2/shapes.ts';
import { specifiedTags, type TagSpecification } from '../world/tags.ts';
import type { CloudWorld, LaunchTemplate } from '../world/world.ts';
import { type AccessRequest, requestTags, resourceTags } from './access-request.ts';
import { ec2Arn, passedRole } from './resource-arns.ts';

/** Created by every launch, whatever the request tags. */
const createdTypes = ['instance', 'volume', 'network-interface'] as const;

/**
 * A fleet launches as its caller: IAM checks CreateFleet and RunInstances on everything that is used and created,
 * CreateTags on what is tagged at creation, and PassRole on the role of the instances.
 */
export function fleetAccess(world: CloudWorld, input: InputOf<'createFleet'>): readonly AccessRequest[] {
  const configs = input.LaunchTemplateConfigs ?? [];
  const isSpot = input.TargetCapacitySpecification?.DefaultTargetCapacityType === 'spot';
  return configs.flatMap(({ LaunchTemplateSpecification, Overrides }) => {
    const template = templateOf(world, LaunchTemplateSpecification);
    const overrides = (Overrides ?? []).map(({ SubnetId, ImageId }) => ({ SubnetId, ImageId }));
    const launch = { world, template, tags: input.TagSpecifications, overrides, isSpot };
    return [
      ...accessTo(launch, 'ec2:CreateFleet', ['fleet', ...createdTypes]),
      ...accessTo(launch, 'ec2:RunInstances', createdTypes),
      ...taggingAccess(launch, 'CreateFleet', ['fleet', ...createdTypes]),
      ...passedRole(world, template.data.IamInstanceProfile),
    ];
  });
}

export function runAccess(world: CloudWorld, input: InputOf<'runInstances'>): readonly AccessRequest[] {
  const template = input.LaunchTemplate && templateOf(world, input.LaunchTemplate);
  const interfaces = (input.NetworkInterfaces ?? []).map(({ SubnetId }) => ({ SubnetId }));
  const overrides = [{ SubnetId: input.SubnetId, ImageId: input.ImageId }, ...interfaces];
  const launch = { world, template, tags: input.TagSpecifications, overrides, isSpot: false };
  return [
    ...accessTo(launch, 'ec2:RunInstances', createdTypes),
    ...taggingAccess(launch, 'RunInstances', createdTypes),
    ...passedRole(world, input.IamInstanceProfile ?? template?.data.IamInstanceProfile),
  ];
}

interface Launch {
  readonly world: CloudWorld;
  readonly template: LaunchTemplate | undefined;
  /** Tags of the call, added to those of the template. */
  readonly tags: readonly TagSpecification[] | undefined;
  readonly overrides: readonly {
    readonly SubnetId?: string | undefined;
    readonly ImageId?: string | undefined;
  }[];
  readonly isSpot: boolean;
}

function accessTo(launch: Launch, action: string, created: readonly string[]): readonly AccessRequest[] {
  const { world, template, isSpot } = launch;
  const types = isSpot ? [...created, 'spot-instances-request'] : created;
  return [
    ...usedResources(launch).map((resource) => ({ action, resource, context: {} })),
    ...(template === undefined ? [] : [template]).map(({ id, tags }) => ({
      action,
      resource: ec2Arn(world, 'launch-template', id),
      context: resourceTags(tags),
    })),
    ...types.map((type) => ({
      action,
      resource: ec2Arn(world, type, '*'),
      context: requestTags(tagsFor(launch, type)),
    })),
  ];
}

function taggingAccess(
  launch: Launch,
  createAction: string,
  created: readonly string[],
): readonly AccessRequest[] {
  const types = launch.isSpot ? [...created, 'spot-instances-request'] : created;
  return types
    .map((type) => ({ type, tags: tagsFor(launch, type) }))
    .filter(({ tags }) => tags.size > 0)
    .map(({ type, tags }) => creationTagging(launch.world, { type, tags, createAction }));
}

interface CreationTagging {
  readonly type: string;
  readonly tags: ReadonlyMap<string, string>;
  /** The call that creates the resource. */
  readonly createAction: string;
}

/** Tagging a resource in the call that creates it, which IAM checks as a CreateTags of its own. */
export function creationTagging(
  world: CloudWorld,
  { type, tags, createAction }: CreationTagging,
): AccessRequest {
  return {
    action: 'ec2:CreateTags',
    resource: ec2Arn(world, type, '*'),
    context: { ...requestTags(tags), 'ec2:CreateAction': [createAction] },
  };
}

function tagsFor({ template, tags }: Launch, type: string): ReadonlyMap<string, string> {
  return specifiedTags([...(template?.data.TagSpecifications ?? []), ...(tags ?? [])], type);
}

/** ARNs of the existing resources that the launch uses. */
function usedResources({ world, template, overrides }: Launch): readonly string[] {
  const data: LaunchTemplateData = template?.data ?? {};
  const ids: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ['image', [data.ImageId, ...overrides.map(({ ImageId }) => ImageId)]],
    ['subnet', [...interfaceSubnets(data), ...overrides.map(({ SubnetId }) => SubnetId)]],
    ['security-group', securityGroups(data)],
    ['snapshot', (data.BlockDeviceMappings ?? []).map(({ Ebs }) => Ebs?.SnapshotId)],
    ['placement-group', [data.Placement?.GroupId]],
    ['capacity-reservation', [reservationOf(data)]],
  ];
  return ids.flatMap(([type, list]) => {
    const named = list.filter((id) => id !== undefined);
    return [...new Set(named)].map((id) => ec2Arn(world, type, id));
  });
}

function interfaceSubnets(data: LaunchTemplateData): readonly (string | undefined)[] {
  return (data.NetworkInterfaces ?? []).map(({ SubnetId }) => SubnetId);
}

function securityGroups(data: LaunchTemplateData): readonly string[] {
  const ofInterfaces = (data.NetworkInterfaces ?? []).flatMap(({ Groups }) => Groups ?? []);
  return [...(data.SecurityGroupIds ?? []), ...ofInterfaces];
}

function reservationOf({ CapacityReservationSpecification }: LaunchTemplateData): string | undefined {
  return CapacityReservationSpecification?.CapacityReservationTarget?.CapacityReservationId;
}

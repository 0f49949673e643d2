import { templateOf } from '../ec2/launch-spec.ts';
import type { InputOf } from '../ec2/shapes.ts';
import { specifiedTags, type Tags, tagsOf } from '../world/tags.ts';
import type { CloudWorld } from '../world/world.ts';
import { type AccessRequest, requestTags, resourceTags } from './access-request.ts';
import { creationTagging } from './launch-access.ts';
import { ec2Arn } from './resource-arns.ts';

export function templateCreationAccess(
  world: CloudWorld,
  { TagSpecifications }: InputOf<'createLaunchTemplate'>,
): readonly AccessRequest[] {
  const type = 'launch-template';
  const tags = specifiedTags(TagSpecifications, type);
  const tagging = { type, tags, createAction: 'CreateLaunchTemplate' };
  return [
    {
      action: 'ec2:CreateLaunchTemplate',
      resource: ec2Arn(world, type, '*'),
      context: requestTags(tags),
    },
    ...(tags.size > 0 ? [creationTagging(world, tagging)] : []),
  ];
}

export function templateDeletionAccess(
  world: CloudWorld,
  input: InputOf<'deleteLaunchTemplate'>,
): readonly AccessRequest[] {
  const { id, tags } = templateOf(world, input);
  const resource = ec2Arn(world, 'launch-template', id);
  return [{ action: 'ec2:DeleteLaunchTemplate', resource, context: resourceTags(tags) }];
}

export function terminationAccess(
  world: CloudWorld,
  { InstanceIds = [] }: InputOf<'terminateInstances'>,
): readonly AccessRequest[] {
  return InstanceIds.map((id) => ({
    action: 'ec2:TerminateInstances',
    resource: ec2Arn(world, 'instance', id),
    context: resourceTags(world.instances.get(id)?.tags ?? new Map()),
  }));
}

export function taggingAccess(
  world: CloudWorld,
  { Resources = [], Tags }: InputOf<'createTags'>,
): readonly AccessRequest[] {
  const added = requestTags(tagsOf(Tags));
  return Resources.map((id) => {
    const { type, tags } = resourceById(world, id);
    return {
      action: 'ec2:CreateTags',
      resource: ec2Arn(world, type, id),
      context: { ...resourceTags(tags), ...added },
    };
  });
}

function resourceById(world: CloudWorld, id: string): { readonly type: string; readonly tags: Tags } {
  const found = [
    ['instance', world.instances.get(id)],
    ['launch-template', world.launchTemplates.get(id)],
    ['subnet', world.subnets.get(id)],
    ['security-group', world.securityGroups.get(id)],
    ['capacity-reservation', world.capacityReservations.get(id)],
    ['placement-group', world.placementGroups.get(id)],
  ] as const;
  for (const [type, resource] of found) if (resource !== undefined) return { type, tags: resource.tags };
  // The type does not matter: if the policies allow it, the call fails because the resource does not exist.
  return { type: 'instance', tags: new Map() };
}

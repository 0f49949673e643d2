import { type Tag, tagsOf } from '../world/tags.ts';
import type { CloudWorld } from '../world/world.ts';
import { type AccessRequest, requestTags, resourceTags } from './access-request.ts';
import { instanceProfileArn, passRole } from './resource-arns.ts';

interface ProfileRequest {
  readonly InstanceProfileName?: string | undefined;
  readonly RoleName?: string | undefined;
  readonly Path?: string | undefined;
  readonly Tags?: readonly Tag[] | undefined;
}

/** The checks of a call on one instance profile; adding a role passes it to EC2. */
export function profileAccess(
  world: CloudWorld,
  operation: string,
  request: ProfileRequest,
): readonly AccessRequest[] {
  const { InstanceProfileName: name = '', RoleName, Path, Tags } = request;
  const profile = world.instanceProfiles.get(name);
  return [
    {
      action: `iam:${operation}`,
      resource: instanceProfileArn(world, name, profile?.path ?? Path),
      context: {
        ...(profile !== undefined && resourceTags(profile.tags)),
        ...(Tags !== undefined && requestTags(tagsOf(Tags))),
      },
    },
    ...(operation === 'AddRoleToInstanceProfile' && RoleName !== undefined
      ? [passRole(world, RoleName)]
      : []),
  ];
}

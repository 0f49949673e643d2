import type { CloudWorld } from '../world/world.ts';
import type { AccessRequest } from './access-request.ts';

/** Resource types whose ARNs contain no account id. */
const withoutAccount: ReadonlySet<string> = new Set(['image', 'snapshot']);

export function ec2Arn({ region, accountId }: CloudWorld, type: string, id: string): string {
  return `arn:aws:ec2:${region}:${withoutAccount.has(type) ? '' : accountId}:${type}/${id}`;
}

export function instanceProfileArn({ accountId }: CloudWorld, name: string, path = '/'): string {
  return `arn:aws:iam::${accountId}:instance-profile${path}${name}`;
}

interface ProfileReference {
  readonly Name?: string | undefined;
  readonly Arn?: string | undefined;
}

/** An instance profile passes its role to EC2, so the caller needs iam:PassRole on it. */
export function passedRole(
  world: CloudWorld,
  profile: ProfileReference | undefined,
): readonly AccessRequest[] {
  const name = profile?.Name ?? profile?.Arn?.split('/').at(-1);
  const roleName = world.instanceProfiles.get(name ?? '')?.roleName;
  return roleName === undefined ? [] : [passRole(world, roleName)];
}

export function passRole({ accountId, roles }: CloudWorld, roleName: string): AccessRequest {
  const path = roles.get(roleName)?.path ?? '/';
  return {
    action: 'iam:PassRole',
    resource: `arn:aws:iam::${accountId}:role${path}${roleName}`,
    context: { 'iam:PassedToService': ['ec2.amazonaws.com'] },
  };
}

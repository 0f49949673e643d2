import type { Iam } from '@karpenter/aws/ports';
import type { Clock } from '@karpenter/kube/runtime';
import type { Chance } from '../../objects/chance.ts';
import { profileAccess } from '../access/index.ts';
import type { Gateway } from '../calls/gateway.ts';
import { Refusal } from '../calls/refusal.ts';
import { pageOf } from '../ec2/paging.ts';
import type { ItemOf } from '../ec2/shapes.ts';
import type { FaultBoard } from '../faults/fault-board.ts';
import { iamId } from '../world/identifiers.ts';
import { tagList, tagsOf } from '../world/tags.ts';
import type { CloudWorld, InstanceProfile, Role } from '../world/world.ts';

export interface IamServiceOptions {
  readonly gateway: Gateway;
  readonly world: CloudWorld;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly faults: FaultBoard;
}

type InputOf<Method extends keyof Iam> = Parameters<Iam[Method]>[0];
type OutputOf<Method extends keyof Iam> = Awaited<ReturnType<Iam[Method]>>;
type Described = NonNullable<OutputOf<'getInstanceProfile'>['InstanceProfile']>;

const namePattern = /^[\w+=,.@-]{1,128}$/;
/** The default quota of an AWS account. */
const maxProfiles = 1_000;
const spotRole = {
  name: 'AWSServiceRoleForEC2Spot',
  path: '/aws-service-role/spot.amazonaws.com/',
  id: 'AROASPOT',
} as const;
const trustPolicy = encodeURIComponent(
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  }),
);

/** The IAM calls for instance profiles; roles exist but cannot be changed. */
export function iamService(options: IamServiceOptions): Iam {
  const { gateway, world } = options;
  const profiles = new InstanceProfiles(options);
  const call = (operation: string) =>
    ({ service: 'IAM', operation, family: 'iam', action: `iam:${operation}` }) as const;
  const operation = <Input extends object, Output>(name: string, serve: (input: Input) => Output) =>
    gateway.operation<Input, Output>(call(name), serve, (input) => profileAccess(world, name, input));
  return {
    createInstanceProfile: operation('CreateInstanceProfile', (input) => profiles.create(input)),
    getInstanceProfile: operation('GetInstanceProfile', (input) => profiles.get(input)),
    deleteInstanceProfile: operation('DeleteInstanceProfile', (input) => profiles.delete(input)),
    getRole: operation('GetRole', (input) => profiles.getRole(input)),
    listInstanceProfiles: gateway.operation(call('ListInstanceProfiles'), (input) => profiles.list(input)),
    tagInstanceProfile: operation('TagInstanceProfile', (input) => profiles.tag(input)),
    addRoleToInstanceProfile: operation('AddRoleToInstanceProfile', (input) => profiles.addRole(input)),
    removeRoleFromInstanceProfile: operation('RemoveRoleFromInstanceProfile', (input) =>
      profiles.removeRole(input),
    ),
  };
}

class InstanceProfiles {
  readonly #options: IamServiceOptions;

  constructor(options: IamServiceOptions) {
    this.#options = options;
  }

  create(input: InputOf<'createInstanceProfile'>): OutputOf<'createInstanceProfile'> {
    const { world, clock, chance } = this.#options;
    const name = input.InstanceProfileName ?? '';
    if (!namePattern.test(name)) throw invalidName('instanceProfileName');
    if (world.instanceProfiles.has(name)) {
      throw new Refusal('EntityAlreadyExists', `Instance Profile ${name} already exists.`, {
        statusCode: 409,
      });
    }
    if (world.instanceProfiles.size >= maxProfiles) {
      throw new Refusal(
        'LimitExceeded',
        `Cannot exceed quota for InstanceProfilesPerAccount: ${maxProfiles}.`,
        {
          statusCode: 409,
        },
      );
    }
    const profile: InstanceProfile = {
      name,
      path: input.Path ?? '/',
      id: iamId('AIPA', chance),
      createdAt: clock.now(),
      tags: tagsOf(input.Tags),
    };
    world.instanceProfiles.set(name, profile);
    return { InstanceProfile: this.#describe(profile) };
  }

  get({ InstanceProfileName }: InputOf<'getInstanceProfile'>): OutputOf<'getInstanceProfile'> {
    return { InstanceProfile: this.#describe(this.#profile(InstanceProfileName)) };
  }

  /** AWS creates the service-linked role for spot when an account first requests it. */
  getRole({ RoleName }: InputOf<'getRole'>): OutputOf<'getRole'> {
    const { faults, world } = this.#options;
    if (RoleName === spotRole.name && faults.current.spot.serviceLinkedRole === 'present')
      return { Role: this.#describeRole({ ...spotRole, createdAt: world.cluster.createdAt }) };
    return { Role: this.#describeRole(this.#role(RoleName)) };
  }

  /** Only without roles, as in IAM: a controller that forgets to remove them leaves its profile behind. */
  delete({ InstanceProfileName }: InputOf<'deleteInstanceProfile'>): object {
    const profile = this.#profile(InstanceProfileName);
    if (profile.roleName !== undefined) {
      throw new Refusal(
        'DeleteConflict',
        'Cannot delete entity, must remove roles from instance profile first.',
        { statusCode: 409 },
      );
    }
    this.#options.world.instanceProfiles.delete(profile.name);
    return {};
  }

  list(input: InputOf<'listInstanceProfiles'>): OutputOf<'listInstanceProfiles'> {
    const { PathPrefix = '/', Marker, MaxItems } = input;
    const under = [...this.#options.world.instanceProfiles.values()].filter(({ path }) =>
      path.startsWith(PathPrefix),
    );
    const { items, NextToken } = pageOf(
      under,
      ({ name }) => name,
      { MaxResults: MaxItems ?? 100, NextToken: Marker },
      { min: 1, max: 1_000 },
    );
    return {
      InstanceProfiles: items.map((profile) => this.#describe(profile)),
      IsTruncated: NextToken !== undefined,
      ...(NextToken !== undefined && { Marker: NextToken }),
    };
  }

  tag({ InstanceProfileName, Tags }: InputOf<'tagInstanceProfile'>): object {
    const profile = this.#profile(InstanceProfileName);
    for (const [key, value] of tagsOf(Tags)) profile.tags.set(key, value);
    return {};
  }

  addRole({ InstanceProfileName, RoleName }: InputOf<'addRoleToInstanceProfile'>): object {
    const profile = this.#profile(InstanceProfileName);
    const role = this.#role(RoleName);
    if (profile.roleName !== undefined) {
      // IAM reports the second role of a profile as an exceeded quota, not as a conflict.
      throw new Refusal('LimitExceeded', 'Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1', {
        statusCode: 409,
      });
    }
    profile.roleName = role.name;
    return {};
  }

  removeRole({ InstanceProfileName, RoleName }: InputOf<'removeRoleFromInstanceProfile'>): object {
    const profile = this.#profile(InstanceProfileName);
    if (profile.roleName === undefined || profile.roleName !== RoleName) {
      throw noSuchEntity(`The role with name ${RoleName} cannot be found.`);
    }
    delete profile.roleName;
    return {};
  }

  #profile(name: string | undefined): InstanceProfile {
    const profile = this.#options.world.instanceProfiles.get(name ?? '');
    if (profile === undefined) throw noSuchEntity(`Instance Profile ${name} cannot be found.`);
    return profile;
  }

  #role(name: string | undefined): Role {
    if (!namePattern.test(name ?? '') || (name ?? '').length > 64) throw invalidName('roleName');
    const role = this.#options.world.roles.get(name ?? '');
    if (role === undefined) throw noSuchEntity(`The role with name ${name} cannot be found.`);
    return role;
  }

  #describe({ name, path, id, createdAt, roleName, tags }: InstanceProfile): Described {
    const role = this.#options.world.roles.get(roleName ?? '');
    return {
      InstanceProfileName: name,
      InstanceProfileId: id,
      Path: path,
      Arn: `arn:aws:iam::${this.#options.world.accountId}:instance-profile${path}${name}`,
      CreateDate: new Date(createdAt),
      Roles: role === undefined ? [] : [this.#describeRole(role)],
      Tags: tagList(tags),
    };
  }

  #describeRole({ name, path, id, createdAt }: Role): ItemOf<Described['Roles']> {
    return {
      RoleName: name,
      RoleId: id,
      Path: path,
      Arn: `arn:aws:iam::${this.#options.world.accountId}:role${path}${name}`,
      CreateDate: new Date(createdAt),
      AssumeRolePolicyDocument: trustPolicy,
    };
  }
}

function noSuchEntity(message: string): Refusal {
  return new Refusal('NoSuchEntity', message, { statusCode: 404 });
}

function invalidName(field: string): Refusal {
  return new Refusal(
    'ValidationError',
    `The specified value for ${field} is invalid. It must contain only alphanumeric characters and/or the following: +=,.@_-`,
  );
}

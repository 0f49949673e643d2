import type { InstanceProfile } from '@aws-sdk/client-iam';
import { minutes } from '@karpenter/core/api';
import { AwsRefusal, ec2NodeClass, RecordedLogText } from '@karpenter/testkit/aws-calls';
import { VirtualClock } from '@karpenter/testkit/clock';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EC2NodeClass } from '../node-class/index.ts';
import type { Iam } from '../ports/index.ts';
import { InstanceProfileProvider } from './instance-profile-provider.ts';
import { garbageProfiles } from './profile-garbage.ts';
import { legacyProfileName, profileName, profilePath, profileTags, roleName } from './profile-names.ts';

const owner = { region: 'us-west-2', clusterName: 'dev' };

describe('instance profiles', () => {
  it('are named by cluster, region and class, with a unique part', () => {
    expect(legacyProfileName(owner, 'default')).toBe('dev_4067990795380418201');
    expect(profileName(owner, 'default', 'uuid')).not.toBe(profileName(owner, 'default', 'other'));
    expect(profilePath(owner, 'uid')).toBe('/karpenter/us-west-2/dev/uid/');
    expect(roleName('path/to/role')).toBe('role');
  });

  it('are tagged with cluster and class', () => {
    expect(profileTags(owner, 'default', { team: 'a', 'eks:eks-cluster-name': 'other' })).toEqual({
      team: 'a',
      'kubernetes.io/cluster/dev': 'owned',
      'eks:eks-cluster-name': 'dev',
      'karpenter.k8s.aws/ec2nodeclass': 'default',
      'topology.kubernetes.io/region': 'us-west-2',
    });
  });

  it('are garbage when nothing uses or protects them', () => {
    const use = {
      inStatus: new Set(['a']),
      annotated: new Set(['b']),
      isProtected: (name: string) => name === 'c',
    };
    expect(garbageProfiles(['a', 'b', 'c', 'd'], use)).toEqual(['d']);
  });
});

describe('the instance profile provider', () => {
  let clock: VirtualClock;
  let profiles: Map<string, InstanceProfile>;
  let roles: Set<string>;
  let calls: string[];
  let provider: InstanceProfileProvider;

  const iam: Omit<Iam, 'getRole'> = {
    getInstanceProfile: async ({ InstanceProfileName: name = '' }) => {
      calls.push('get');
      const InstanceProfile = profiles.get(name);
      if (InstanceProfile === undefined) throw new AwsRefusal('NoSuchEntity', 'no such profile');
      return { InstanceProfile };
    },
    createInstanceProfile: async ({ InstanceProfileName: name = '', Path }) => {
      calls.push('create');
      profiles.set(name, profile(name, Path ?? '/'));
      return { InstanceProfile: undefined };
    },
    addRoleToInstanceProfile: async ({ InstanceProfileName: name = '', RoleName: role = '' }) => {
      calls.push(`add ${role}`);
      if (!roles.has(role))
        throw new AwsRefusal('NoSuchEntity', `The role with name ${role} cannot be found`);
      profiles.set(name, profile(name, profiles.get(name)?.Path ?? '/', role));
    },
    removeRoleFromInstanceProfile: async ({ InstanceProfileName: name = '' }) => {
      calls.push('remove');
      profiles.set(name, profile(name, profiles.get(name)?.Path ?? '/'));
    },
    deleteInstanceProfile: async ({ InstanceProfileName: name = '' }) => {
      calls.push('delete');
      profiles.delete(name);
    },
    listInstanceProfiles: async ({ PathPrefix: path = '' }) => ({
      InstanceProfiles: [...profiles.values()].filter(({ Path = '' }) => Path.startsWith(path)),
      IsTruncated: false,
    }),
    tagInstanceProfile: async () => undefined,
  };

  function profile(name: string, Path: string, role?: string): InstanceProfile {
    const common = { Path, Arn: '', CreateDate: new Date(0) };
    const Roles = role === undefined ? [] : [{ ...common, RoleName: role, RoleId: '' }];
    return { ...common, InstanceProfileName: name, InstanceProfileId: '', Roles };
  }

  const nodeClass = (spec: Partial<EC2NodeClass['spec']>, instanceProfile?: string): EC2NodeClass =>
    ec2NodeClass({
      metadata: { name: 'default', uid: 'uid' },
      spec: {
        ...spec,
      },
      ...(instanceProfile !== undefined && { status: { instanceProfile } }),
    });

  beforeEach(() => {
    clock = new VirtualClock();
    [profiles, roles, calls] = [new Map(), new Set(['node', 'other']), []];
    let count = 0;
    const unique = () => String(++count);
    provider = new InstanceProfileProvider({ ...owner, iam, clock, log: new RecordedLogText(), unique });
  });

  it('creates a profile for a role once', async () => {
    const name = await provider.resolve(nodeClass({ role: 'path/node' }));
    expect(calls).toEqual(['create', 'get', 'add node']);
    calls.length = 0;
    expect(await provider.resolve(nodeClass({ role: 'path/node' }))).toBe(name);
    expect(await provider.resolve(nodeClass({ role: 'path/node' }, name))).toBe(name);
    expect(calls).toEqual(['get']);
    await clock.advance(minutes(16));
    expect(await provider.resolve(nodeClass({ role: 'path/node' }, name))).toBe(name);
    expect(provider.isProtected(name)).toBe(true);
  });

  it('protects a profile while it is being created, when nothing refers to it', async () => {
    const seen: boolean[] = [];
    const watched: Omit<Iam, 'getRole'> = {
      ...iam,
      addRoleToInstanceProfile: async (input) => {
        seen.push(provider.isProtected(input.InstanceProfileName ?? ''));
        return iam.addRoleToInstanceProfile(input);
      },
    };
    provider = new InstanceProfileProvider({
      ...owner,
      iam: watched,
      clock,
      log: new RecordedLogText(),
      unique: () => 'a',
    });
    await provider.resolve(nodeClass({ role: 'node' }));
    expect(seen).toEqual([true]);
  });

  it('creates another profile for another role and keeps the old one', async () => {
    const old = await provider.resolve(nodeClass({ role: 'node' }));
    const made = await provider.resolve(nodeClass({ role: 'other' }, old));
    expect(made).not.toBe(old);
    expect([...profiles.keys()]).toEqual([old, made]);
    expect(provider.isProtected(old)).toBe(true);
    await clock.advance(minutes(61));
    expect(provider.isProtected(old)).toBe(false);
  });

  it('never changes a profile named in the spec', async () => {
    expect(await provider.resolve(nodeClass({ instanceProfile: 'mine' }, 'dev_1'))).toBe('mine');
    expect(calls).toEqual([]);
    expect(provider.isProtected('dev_1')).toBe(true);
  });

  it('reports a missing role and does not retry at once', async () => {
    const attempt = () => provider.resolve(nodeClass({ role: 'none' }));
    await expect(attempt()).rejects.toThrow('role none does not exist; create it or correct spec.role');
    expect(profiles.size).toBe(0);
    calls.length = 0;
    await expect(attempt()).rejects.toThrow('role none does not exist');
    expect(calls).toEqual([]);
    await clock.advance(minutes(1));
    await expect(attempt()).rejects.toThrow('role none does not exist');
    expect(calls).toContain('create');
  });

  it('deletes all profiles of a class', async () => {
    await provider.resolve(nodeClass({ role: 'node' }));
    profiles.set('dev_4067990795380418201', profile('dev_4067990795380418201', '/', 'node'));
    profiles.set('foreign', profile('foreign', '/karpenter/us-west-2/dev/other/'));
    await provider.deleteAll(nodeClass({ role: 'node' }));
    expect([...profiles.keys()]).toEqual(['foreign']);
  });
});

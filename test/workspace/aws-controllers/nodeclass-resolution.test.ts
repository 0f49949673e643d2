import { ec2NodeClasses } from '@karpenter/aws';
import { hours, minutes, seconds } from '@karpenter/core/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControllerWorld } from './controller-world.ts';

let world: ControllerWorld;
beforeEach(() => {
  world = new ControllerWorld({ env: { DISABLE_DRY_RUN: 'true' } });
});
afterEach(() => world.stop());

const nothing = [{ tags: { 'karpenter.sh/discovery': 'elsewhere' } }];
const unhealthy = (...pairs: string[]) => `False UnhealthyDependents: ${pairs.join(', ')}`;

describe('an EC2NodeClass', () => {
  it('becomes ready in the default account, with a finalizer and one status write', async () => {
    world.addClass();
    await world.start('nodeclass');
    const { metadata, status } = world.nodeClass();
    expect(metadata.finalizers).toEqual(['karpenter.k8s.aws/termination']);
    expect(status?.conditions?.map(({ type }) => type)).toEqual([
      'AMIsReady',
      'CapacityReservationsReady',
      'PlacementGroupReady',
      'SubnetsReady',
      'SecurityGroupsReady',
      'InstanceProfileReady',
      'ValidationSucceeded',
      'Ready',
    ]);
    for (const { type, status: value, reason, message, observedGeneration } of status?.conditions ?? []) {
      expect([type, value, reason, message, observedGeneration]).toEqual([type, 'True', type, '', 1]);
    }
    expect(status?.amis).toHaveLength(5);
    expect(status?.subnets).toHaveLength(6);
    expect(status?.securityGroups).toHaveLength(2);
    expect(status?.capacityReservations).toBeUndefined();
    expect([...world.cloud.world.instanceProfiles.keys()]).toEqual([status?.instanceProfile]);
    expect(world.api.writes).toEqual(['patch EC2NodeClass/default', 'patch EC2NodeClass/default status']);
  });

  it('is reconciled every minute and not written while nothing changes', async () => {
    world.addClass();
    await world.start('nodeclass');
    const before = [...world.api.writes];
    const looks = world.outcomes.length;
    await world.advance(minutes(10));
    expect(world.outcomes.length - looks).toBe(10);
    expect(world.api.writes).toEqual(before);
    expect(world.errorsOf('nodeclass')).toEqual([]);
  });

  it('reports each selector that matches nothing, and removes its earlier matches', async () => {
    world.addClass();
    await world.start('nodeclass');
    world.api.edit(ec2NodeClasses, 'default', {
      spec: {
        amiSelectorTerms: [{ tags: { no: 'such' } }],
        amiFamily: 'AL2023',
        subnetSelectorTerms: nothing,
        securityGroupSelectorTerms: nothing,
      },
    });
    await world.advance(seconds(1));
    expect(world.condition('AMIsReady')).toBe('False AMINotFound: AMISelector did not match any AMIs');
    expect(world.condition('SubnetsReady')).toBe(
      'False SubnetsNotFound: SubnetSelector did not match any Subnets',
    );
    expect(world.condition('SecurityGroupsReady')).toBe(
      'False SecurityGroupsNotFound: SecurityGroupSelector did not match any SecurityGroups',
    );
    expect(world.condition('ValidationSucceeded')).toBe(
      'False DependenciesNotReady: Awaiting AMI, Instance Profile, Security Group, and Subnet resolution',
    );
    expect(world.condition('InstanceProfileReady')).toBe('True InstanceProfileReady: ');
    expect(world.condition('Ready')).toBe(
      unhealthy(
        'AMIsReady=False',
        'SubnetsReady=False',
        'SecurityGroupsReady=False',
        'ValidationSucceeded=False',
      ),
    );
    const { subnets, securityGroups, amis } = world.nodeClass().status ?? {};
    expect([subnets, securityGroups, amis]).toEqual([undefined, undefined, undefined]);
  });

  it('finds new matches within a minute', async () => {
    world.addClass({ securityGroupSelectorTerms: nothing });
    await world.start('nodeclass');
    expect(world.condition('Ready')).toBe(
      unhealthy('SecurityGroupsReady=False', 'ValidationSucceeded=False'),
    );
    for (const { tags } of world.cloud.world.securityGroups.values())
      tags.set('karpenter.sh/discovery', 'elsewhere');
    await world.advance(minutes(1));
    expect(world.condition('Ready')).toBe('True Ready: ');
  });

  it('reports an unsupported alias, and keeps its images for drift detection', async () => {
    world.addClass();
    await world.start('nodeclass');
    world.api.edit(ec2NodeClasses, 'default', { spec: { amiSelectorTerms: [{ alias: 'al2@latest' }] } });
    await world.advance(seconds(1));
    expect(world.condition('AMIsReady')).toMatch(
      /^False UnsupportedAlias: getting AMI queries, AL2 aliases are no longer supported on EKS 1\.33\+/,
    );
    expect(world.nodeClass().status?.amis).toHaveLength(5);
    expect(world.errorsOf('nodeclass')).toEqual([]);
  });

  it('waits for a placement group that does not exist, and is ready once it does', async () => {
    world.addClass({ placementGroupSelector: { name: 'close' } });
    await world.start('nodeclass');
    expect(world.condition('PlacementGroupReady')).toBe(
      'False PlacementGroupNotFound: Placement group "close" not found',
    );
    expect(world.condition('Ready')).toBe(unhealthy('PlacementGroupReady=False'));
    const group = {
      id: 'pg-1',
      name: 'close',
      strategy: 'cluster',
      state: 'available',
      tags: new Map(),
    } as const;
    world.cloud.world.placementGroups.set('close', group);
    await world.advance(minutes(2));
    expect(world.condition('Ready')).toBe('True Ready: ');
  });

  it('fails the reconcile if a placement group cannot be described, and reports it', async () => {
    world.cloud.faults.set({ deny: ['ec2:DescribePlacementGroups'] });
    world.addClass({ placementGroupSelector: { name: 'close' } });
    await world.start('nodeclass');
    expect(world.condition('PlacementGroupReady')).toBe(
      'False PlacementGroupResolutionFailed: Failed to resolve placement group',
    );
    expect(world.errorsOf('nodeclass')[0]).toMatchObject({ code: 'UnauthorizedOperation' });
  });

  it('lists its capacity reservations, and reconciles again when the first of them ends', async () => {
    const [zone] = world.cloud.world.zones;
    world.cloud.addReservation({
      id: 'cr-1',
      ownerId: '123456789012',
      type: 'm5.large',
      zone: zone?.name ?? '',
      zoneId: zone?.id ?? '',
      total: 2,
      matchCriteria: 'targeted',
      reservationType: 'default',
      isInterruptible: false,
      endsAt: world.clock.now() + seconds(30),
      createdAt: world.clock.now(),
      tags: new Map(),
    });
    world.addClass({ capacityReservationSelectorTerms: [{ id: 'cr-1' }] });
    await world.start('nodeclass');
    expect(world.nodeClass().status?.capacityReservations).toMatchObject([{ id: 'cr-1', state: 'active' }]);
    await world.advance(seconds(29));
    expect(world.nodeClass().status?.capacityReservations).toHaveLength(1);
    await world.advance(seconds(1));
    expect(world.nodeClass().status?.capacityReservations).toBeUndefined();
    expect(world.condition('CapacityReservationsReady')).toBe('True CapacityReservationsReady: ');
  });

  it('has no reservations if the feature gate is off', async () => {
    await world.stop();
    world = new ControllerWorld({
      env: { DISABLE_DRY_RUN: 'true', FEATURE_GATES: 'ReservedCapacity=false' },
    });
    world.addClass({ capacityReservationSelectorTerms: [{ id: 'cr-1' }] });
    await world.start('nodeclass');
    expect(world.condition('CapacityReservationsReady')).toBe('none');
    expect(world.condition('Ready')).toBe('True Ready: ');
    expect(world.calls('ec2:DescribeCapacityReservations')).toBe(0);
  });

  it('uses a named instance profile without a call to IAM', async () => {
    world.cloud.faults.set({ deny: ['iam:*'] });
    world.addClass({ instanceProfile: 'mine' });
    await world.start('nodeclass');
    expect(world.nodeClass().status?.instanceProfile).toBe('mine');
    expect(world.condition('InstanceProfileReady')).toBe('True InstanceProfileReady: ');
  });
});

describe('trouble', () => {
  it('with a NodeClass without spec is reported in its conditions, without a call to IAM', async () => {
    const { spec: _, ...bare } = world.addClass();
    world.api.remove(ec2NodeClasses, 'default');
    world.api.put(ec2NodeClasses, JSON.parse(JSON.stringify(bare)));
    await world.start('nodeclass', 'nodeclass.hash');
    await world.advance(minutes(5));
    expect(world.condition('AMIsReady')).toMatch(/^False AMINotFound/);
    expect(world.condition('SubnetsReady')).toMatch(/^False SubnetsNotFound/);
    expect(world.condition('Ready')).toMatch(/^False UnhealthyDependents/);
    expect(world.errorsOf('nodeclass')[0]).toMatchObject({ code: 'unresolved-node-class' });
    expect(world.errorsOf('nodeclass.hash')).toEqual([]);
    expect(world.calls('iam:CreateInstanceProfile')).toBe(0);
  });

  it('with a missing role leaves the condition unknown, and IAM is not called repeatedly', async () => {
    world.addClass({ role: 'nobody' });
    await world.start('nodeclass');
    await world.advance(minutes(10));
    expect(world.condition('InstanceProfileReady')).toBe(
      'Unknown AwaitingReconciliation: object is awaiting reconciliation',
    );
    expect(world.condition('ValidationSucceeded')).toBe(
      'Unknown DependenciesNotReady: Awaiting AMI, Instance Profile, Security Group, and Subnet resolution',
    );
    expect(world.condition('Ready')).toBe(
      'Unknown ReconcilingDependents: InstanceProfileReady=Unknown, ValidationSucceeded=Unknown',
    );
    expect(world.errorsOf('nodeclass')[0]).toMatchObject({
      message: 'cannot make an instance profile: role nobody does not exist; create it or correct spec.role',
    });
    expect(world.calls('iam:CreateInstanceProfile')).toBeLessThanOrEqual(10);
    expect(world.cloud.world.instanceProfiles.size).toBe(0);
  });

  it('with one call keeps what that call resolves, updates the rest, and is retried with backoff', async () => {
    world.cloud.faults.set({ deny: ['ec2:DescribeSubnets'] });
    world.addClass();
    await world.start('nodeclass');
    expect(world.condition('SubnetsReady')).toBe(
      'Unknown AwaitingReconciliation: object is awaiting reconciliation',
    );
    expect(world.condition('AMIsReady')).toBe('True AMIsReady: ');
    expect(world.condition('Ready')).toBe(
      'Unknown ReconcilingDependents: SubnetsReady=Unknown, ValidationSucceeded=Unknown',
    );
    const writes = [...world.api.writes];
    await world.advance(hours(1));
    expect(world.api.writes).toEqual(writes);
    expect(world.errorsOf('nodeclass').length).toBeLessThan(25);

    world.cloud.faults.set({ deny: [] });
    await world.advance(minutes(20));
    expect(world.condition('Ready')).toBe('True Ready: ');
  });

  it('keeps earlier results', async () => {
    world.addClass();
    await world.start('nodeclass');
    const { status } = world.nodeClass();
    world.cloud.faults.set({ deny: ['ec2:Describe*', 'ssm:*'] });
    await world.advance(minutes(20));
    expect(world.errorsOf('nodeclass').length).toBeGreaterThan(0);
    expect(world.nodeClass().status).toEqual(status);
  });

  it('of a write by a conflict is no error: the NodeClass is reconciled again', async () => {
    world.addClass();
    await world.start('nodeclass');
    const cache = world.api.of(ec2NodeClasses);
    cache.hold();
    world.api.edit(ec2NodeClasses, 'default', { metadata: { labels: { team: 'a' } } });
    for (const { tags } of world.cloud.world.securityGroups.values()) tags.clear();
    await world.advance(minutes(6));
    expect(world.condition('SecurityGroupsReady')).toBe('True SecurityGroupsReady: ');
    cache.release();
    await world.advance(seconds(1));
    expect(world.condition('SecurityGroupsReady')).toMatch(/^False SecurityGroupsNotFound/);
    expect(world.nodeClass().metadata.labels).toEqual({ team: 'a' });
    expect(world.errorsOf('nodeclass')).toEqual([]);
  });

  it('of a status write whose reply was lost creates no second instance profile', async () => {
    world.cloud.faults.set({ latency: 100 });
    world.addClass();
    await world.start('nodeclass');
    await world.advance(50);
    world.api.edit(ec2NodeClasses, 'default', { metadata: { labels: { team: 'a' } } });
    await world.advance(minutes(1));
    expect(world.api.writes.filter((write) => write.endsWith('status')).length).toBeGreaterThan(1);
    expect(world.condition('Ready')).toBe('True Ready: ');
    expect([...world.cloud.world.instanceProfiles.keys()]).toEqual([
      world.nodeClass().status?.instanceProfile,
    ]);
    expect(world.errorsOf('nodeclass')).toEqual([]);
  });
});

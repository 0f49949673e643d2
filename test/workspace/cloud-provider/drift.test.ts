import type { EC2NodeClass } from '@karpenter/aws';
import { hours, type NodeClaim, seconds } from '@karpenter/core/api';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  claimOf,
  launchedClaim,
  ofType,
  onDemand,
  only,
  ready,
  SimulatedAccount,
  withStatus,
} from './simulated-account.ts';

const hashKey = 'karpenter.k8s.aws/ec2nodeclass-hash';
const versionKey = 'karpenter.k8s.aws/ec2nodeclass-hash-version';

describe('drift of an instance from its NodeClass', () => {
  const account = new SimulatedAccount({ env: { ENABLE_ZONAL_SHIFT: 'true' } });
  let nodeClass: EC2NodeClass;
  let claim: NodeClaim;

  beforeAll(async () => {
    await account.start();
    await account.addPool('general');
    nodeClass = account.nodeClass('general');
    const asked = claimOf('general-1', 'general', [onDemand, ofType('m5.large')]);
    claim = launchedClaim(asked, await account.create(asked));
    await account.clock.advance(seconds(10));
  });

  beforeEach(() => account.nodeClasses.set(nodeClass));

  const reason = (of = claim) => account.answered(account.provider.cloud.driftReason(of));
  const set = (status: NonNullable<EC2NodeClass['status']>) =>
    account.nodeClasses.set(withStatus(nodeClass, status));
  const annotated = (annotations: Record<string, string>) =>
    account.nodeClasses.set({ ...nodeClass, metadata: { ...nodeClass.metadata, annotations } });
  const otherGroups = [{ id: 'sg-other' }];
  const otherSubnets = [{ id: 'subnet-other', zone: 'us-west-2a' }];

  it('is absent while the NodeClass is unchanged', async () => {
    expect(await reason()).toBeUndefined();
  });

  it('is NodeClassDrift if the hash differs', async () => {
    annotated({ [hashKey]: '1', [versionKey]: 'v5' });
    expect(await reason()).toBe('NodeClassDrift');
  });

  it('does not compare hashes of different versions, or if one of four annotations is missing', async () => {
    annotated({ [hashKey]: '1', [versionKey]: 'v6' });
    expect(await reason()).toBeUndefined();
    annotated({ [hashKey]: '1' });
    expect(await reason()).toBeUndefined();
    annotated({ [versionKey]: 'v5' });
    expect(await reason()).toBeUndefined();
    annotated({ [hashKey]: '1', [versionKey]: 'v5' });
    const { annotations: _, ...metadata } = claim.metadata;
    expect(await reason({ ...claim, metadata })).toBeUndefined();
  });

  it('is AMIDrift if the type would now get another image', async () => {
    const amis = nodeClass.status?.amis?.map((ami) => ({ ...ami, id: `${ami.id}0` })) ?? [];
    set({ amis });
    expect(await reason()).toBe('AMIDrift');
    set({ amis: [...(nodeClass.status?.amis ?? []), ...amis] });
    expect(await reason()).toBeUndefined();
  });

  it('is SecurityGroupDrift if the sets differ', async () => {
    set({ securityGroups: otherGroups });
    expect(await reason()).toBe('SecurityGroupDrift');
    set({ securityGroups: [...(nodeClass.status?.securityGroups ?? []), ...otherGroups] });
    expect(await reason()).toBe('SecurityGroupDrift');
    set({ securityGroups: [...(nodeClass.status?.securityGroups ?? [])].reverse() });
    expect(await reason()).toBeUndefined();
  });

  it('is SubnetDrift if the NodeClass no longer selects the subnet', async () => {
    set({ subnets: otherSubnets });
    expect(await reason()).toBe('SubnetDrift');
  });

  it('is a drift of the placement group if the label names another', async () => {
    const elsewhere = {
      ...claim.metadata.labels,
      'karpenter.k8s.aws/placement-group-id': 'pg-1',
    };
    expect(await reason({ ...claim, metadata: { ...claim.metadata, labels: elsewhere } })).toBe(
      'PlacementGroupDrift',
    );
  });

  it('names the first of several reasons, and calls EC2 only when it must', async () => {
    const described = () => account.cloud.calls.get('ec2:DescribeInstances') ?? 0;
    const before = described();
    const unknown = {
      ...claim,
      status: { ...claim.status, providerID: 'aws:///us-west-2a/i-0123456789abcdef0' },
    };
    set({ securityGroups: otherGroups, subnets: otherSubnets, amis: [{ id: 'ami-1', requirements: [] }] });
    expect(await reason(unknown)).toBe('AMIDrift');
    set({ securityGroups: otherGroups, subnets: otherSubnets });
    expect(await reason()).toBe('SecurityGroupDrift');
    annotated({ [hashKey]: '1', [versionKey]: 'v5' });
    expect(await reason(unknown)).toBe('NodeClassDrift');
    expect(described()).toBe(before);
  });

  it('is absent if the NodePool or NodeClass is missing or being deleted', async () => {
    annotated({ [hashKey]: '1', [versionKey]: 'v5' });
    expect(await reason(claimOf('lost', 'nowhere'))).toBeUndefined();
    account.nodeClasses.set({
      ...nodeClass,
      metadata: { ...nodeClass.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
    expect(await reason()).toBeUndefined();
    account.nodeClasses.remove('general');
    expect(await reason()).toBeUndefined();
    expect(account.events.at(-1)).toBe('NodePool general Warning: Failed resolving NodeClass');
  });

  it('fails if a status is empty or the NodeClaim lacks data', async () => {
    const labels = { ...claim.metadata.labels, 'node.kubernetes.io/instance-type': 'x9.huge' };
    const fails = (of?: NodeClaim) => expect(reason(of)).rejects;
    await fails({ ...claim, metadata: { ...claim.metadata, labels } }).toThrow(
      'there is no instance type "x9.huge"',
    );
    await fails({ ...claim, status: { providerID: claim.status?.providerID ?? '' } }).toThrow(
      'does not tell its image',
    );
    await fails({ ...claim, status: { ...claim.status, providerID: 'nonsense' } }).toThrow('provider id');
    await fails({
      ...claim,
      status: { ...claim.status, providerID: 'aws:///us-west-2a/i-0123456789abcdef0' },
    }).toThrow('instance i-0123456789abcdef0 does not exist');
    set({ amis: [] });
    await fails().toThrow('has no images in its status');
    set({ securityGroups: [] });
    await fails().toThrow('has no security groups in its status');
    set({ subnets: [], conditions: [ready('False')] });
    await fails().toThrow('no subnets found');
  });

  it('uses cached data while the zone of the instance is shifted', async () => {
    const zoneId = claim.metadata.labels?.['topology.k8s.aws/zone-id'] ?? '';
    account.cloud.shiftZone(zoneId, hours(1));
    await account.answered(account.provider.zonalShifts.refresh());
    account.cloud.faults.set({ deny: ['ec2:Describe*'] });
    expect(await reason()).toBeUndefined();
    set({ subnets: otherSubnets });
    expect(await reason()).toBe('SubnetDrift');
    await expect(account.answered(account.provider.cloud.delete(claim))).rejects.toMatchObject({
      code: 'instance-in-shifted-zone',
      message: expect.stringMatching(/^instance i-\w+ is in zonally shifted .*, skipping termination$/),
    });
    account.cloud.faults.clear();
    account.cloud.endShift(zoneId);
    await account.answered(account.provider.zonalShifts.refresh());
  });
});

describe('an instance of a capacity reservation', () => {
  async function reserved() {
    const account = new SimulatedAccount();
    const { id } = account.cloud.addReservation({
      id: 'cr-0123456789abcdef0',
      ownerId: account.cloud.world.accountId,
      type: 'm5.large',
      zone: 'us-west-2a',
      zoneId: 'usw2-az2',
      total: 2,
      matchCriteria: 'targeted',
      reservationType: 'default',
      isInterruptible: false,
      createdAt: account.clock.now(),
      tags: new Map(),
    });
    await account.start();
    await account.addPool('general', { capacityReservationSelectorTerms: [{ id }] });
    const asked = claimOf('general-1', 'general', [only('karpenter.sh/capacity-type', 'reserved')]);
    const claim = launchedClaim(asked, await account.create(asked));
    await account.clock.advance(seconds(10));
    return { account, id, claim };
  }

  it('is identified by its labels, and drifts when the NodeClass no longer selects the reservation', async () => {
    const { account, id, claim } = await reserved();
    expect(claim.metadata.labels).toMatchObject({
      'karpenter.sh/capacity-type': 'reserved',
      'karpenter.k8s.aws/capacity-reservation-id': id,
    });
    const { cloud } = account.provider;
    expect(await account.answered(cloud.driftReason(claim))).toBeUndefined();
    account.nodeClasses.set(withStatus(account.nodeClass('general'), { capacityReservations: [] }));
    expect(await account.answered(cloud.driftReason(claim))).toBe('CapacityReservationDrift');
    // The instance left the reservation, which only another EC2 call shows.
    account.cloud.cancelReservation(id);
    expect(await account.answered(cloud.driftReason(claim))).toBeUndefined();
  });

  it('releases its slot once it is gone, not before', async () => {
    const { account, id, claim } = await reserved();
    const { cloud, reservationCounts } = account.provider;
    expect(reservationCounts.free(id)).toBe(1);
    expect(await account.answered(cloud.delete(claim))).toBe('terminating');
    expect(reservationCounts.free(id)).toBe(1);
    await account.clock.advance(hours(2));
    expect(await account.answered(cloud.delete(claim))).toBe('gone');
    expect(reservationCounts.free(id)).toBe(2);
  });
});

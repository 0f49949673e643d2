import { minutes, type NodePool, seconds } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { describe, expect, it } from 'vitest';
import {
  claimOf,
  launchedClaim,
  ofType,
  onDemand,
  ready,
  SimulatedAccount,
  withStatus,
} from './simulated-account.ts';

async function account(): Promise<SimulatedAccount> {
  const made = new SimulatedAccount();
  await made.start();
  await made.addPool('general');
  return made;
}

describe('the AWS cloud provider on a simulated account', () => {
  it('creates, gets, lists and deletes an instance', async () => {
    const made = await account();
    const { cloud } = made.provider;
    const claim = claimOf('general-1', 'general', [onDemand, ofType('m5.large')]);
    const instance = await made.create(claim);
    expect(instance).toMatchObject({
      providerId: expect.stringMatching(/^aws:\/\/\/us-west-2[abc]\/i-[0-9a-f]+$/),
      imageId: expect.stringMatching(/^ami-/),
      isDeleting: false,
      capacity: { cpu: '2', pods: '29' },
      labels: {
        'karpenter.sh/nodepool': 'general',
        'karpenter.sh/capacity-type': 'on-demand',
        'node.kubernetes.io/instance-type': 'm5.large',
        'kubernetes.io/arch': 'amd64',
      },
      annotations: {
        'karpenter.k8s.aws/ec2nodeclass-hash': made.provider.hashOf(made.nodeClass('general')),
        'karpenter.k8s.aws/ec2nodeclass-hash-version': 'v5',
        'karpenter.k8s.aws/instance-profile-name': made.nodeClass('general').status?.instanceProfile,
      },
    });
    expect(Object.keys(instance.annotations)).toHaveLength(3);

    await made.clock.advance(seconds(10));
    const { annotations: _, createdAt, ...same } = instance;
    expect(await made.answered(cloud.get(instance.providerId))).toMatchObject(same);
    const [listed, ...others] = await made.answered(cloud.list());
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ ...same, annotations: {} });
    expect(Math.abs((listed?.createdAt ?? 0) - createdAt)).toBeLessThan(seconds(5));

    const launched = launchedClaim(claim, instance);
    expect(await made.answered(cloud.delete(launched))).toBe('terminating');
    await made.clock.advance(seconds(5));
    expect((await made.answered(cloud.list()))[0]?.isDeleting).toBe(true);
    expect(await made.answered(cloud.delete(launched))).toBe('terminating');
    await made.clock.advance(minutes(5));
    expect(await made.answered(cloud.delete(launched))).toBe('gone');
    expect(await made.answered(cloud.list())).toEqual([]);
  });

  it('terminates an instance that EC2 does not describe yet', async () => {
    const made = new SimulatedAccount({ faults: { consistency: { describe: 20_000, profile: 0 } } });
    await made.start();
    await made.addPool('general');
    const claim = claimOf('general-1', 'general', [onDemand, ofType('m5.large')]);
    const launched = launchedClaim(claim, await made.create(claim));
    const states = () => [...made.cloud.world.instances.values()].map(({ state }) => state);
    const { cloud } = made.provider;
    // An instance that EC2 does not list is not necessarily gone.
    expect(await made.answered(cloud.delete(launched))).toBe('terminating');
    await made.answered(cloud.list());
    expect(await made.answered(cloud.delete(launched))).toBe('terminating');
    expect(states()).toEqual(['pending']);
    await made.clock.advance(seconds(20));
    expect(await made.answered(cloud.delete(launched))).toBe('terminating');
    expect(states()).toEqual(['shutting-down']);
    await made.clock.advance(minutes(2));
    expect(await made.answered(cloud.delete(launched))).toBe('gone');
  });

  it('launches with overlaid types if the feature gate is on', async () => {
    const overlaid = (_: NodePool, types: readonly InstanceType[]) =>
      types.filter(({ name }) => name === 'c5.xlarge');
    const typeIn = async (gates: string) => {
      const made = new SimulatedAccount({ env: { FEATURE_GATES: gates }, overlaid });
      await made.start();
      await made.addPool('general');
      const { labels } = await made.create(claimOf('general-1', 'general', [onDemand]));
      return labels['node.kubernetes.io/instance-type'];
    };
    expect(await typeIn('NodeOverlay=true')).toBe('c5.xlarge');
    expect(await typeIn('NodeOverlay=false')).not.toBe('c5.xlarge');
  });

  it('lists and gets instances whose NodePool or NodeClass is gone, with the data of EC2', async () => {
    const made = await account();
    const { cloud } = made.provider;
    const { providerId } = await made.create(claimOf('general-1', 'general', [onDemand, ofType('m5.large')]));
    await made.clock.advance(seconds(10));
    made.nodePools.remove('general');
    const [listed] = await made.answered(cloud.list());
    expect(listed).toMatchObject({
      providerId,
      capacity: {},
      labels: { 'karpenter.sh/nodepool': 'general' },
    });
    expect(listed?.labels).not.toHaveProperty('kubernetes.io/arch');
    expect(await made.answered(cloud.get(providerId))).toEqual(listed);
  });

  it('returns the identical list of types while nothing has changed', async () => {
    const made = await account();
    const nodePool = await made.addPool('other');
    const list = await made.provider.cloud.instanceTypes(nodePool);
    expect(list).toHaveLength(8);
    made.nodeClasses.set(withStatus(made.nodeClass('other'), { conditions: [ready('True', 'again')] }));
    expect(await made.provider.cloud.instanceTypes(nodePool)).toBe(list);
    made.provider.unavailableOfferings.markUnavailable({
      instanceType: 'm5.large',
      zone: 'us-west-2a',
      capacityType: 'spot',
      reason: 'test',
    });
    const after = await made.provider.cloud.instanceTypes(nodePool);
    expect(after).not.toBe(list);
    expect(after.filter((type, index) => type !== list[index]).map(({ name }) => name)).toEqual(['m5.large']);
  });

  it('has a name, a NodeClass kind and repair policies', async () => {
    const { cloud } = new SimulatedAccount().provider;
    expect(cloud.name).toBe('aws');
    expect(cloud.nodeClasses).toMatchObject([
      { group: 'karpenter.k8s.aws', version: 'v1', kind: 'EC2NodeClass', plural: 'ec2nodeclasses' },
    ]);
    const policies = cloud.repairPolicies.map(
      ({ conditionType, conditionStatus, toleration }) =>
        `${conditionType}=${conditionStatus} ${toleration / minutes(1)}m`,
    );
    expect(policies).toEqual([
      'Ready=False 30m',
      'Ready=Unknown 30m',
      'AcceleratedHardwareReady=False 10m',
      'StorageReady=False 30m',
      'NetworkingReady=False 30m',
      'KernelReady=False 30m',
      'ContainerRuntimeReady=False 30m',
    ]);
  });
});

describe('an impossible launch', () => {
  const claim = claimOf('general-1', 'general', [onDemand]);

  it('fails with an event if the NodeClass is missing or being deleted', async () => {
    const made = await account();
    const going = made.nodeClass('general');
    made.nodeClasses.remove('general');
    await expect(made.create(claim)).rejects.toMatchObject({
      code: 'insufficient-capacity',
      message: 'ec2nodeclasses.karpenter.k8s.aws "general" not found',
    });
    made.nodeClasses.set({
      ...going,
      metadata: { ...going.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
    });
    await expect(made.create(claim)).rejects.toMatchObject({
      code: 'insufficient-capacity',
      message: 'ec2nodeclasses.karpenter.k8s.aws "general" is terminating, treating as not found',
    });
    expect(made.events).toEqual(
      Array.from({ length: 2 }, () => 'NodeClaim general-1 Warning: Failed resolving NodeClass'),
    );
  });

  it('waits for a NodeClass that is not ready, or whose readiness is about an earlier generation', async () => {
    const made = await account();
    const nodeClass = made.nodeClass('general');
    made.nodeClasses.set(withStatus(nodeClass, { conditions: [ready('False', 'SubnetsReady=False')] }));
    await expect(made.create(claim)).rejects.toMatchObject({
      code: 'node-class-not-ready',
      message: 'SubnetsReady=False',
    });
    made.nodeClasses.set(withStatus(nodeClass, { conditions: [ready('Unknown')] }));
    await expect(made.create(claim)).rejects.toMatchObject({
      code: 'launch-failed',
      details: {
        reason: 'NodeClassReadinessUnknown',
        conditionMessage: 'NodeClass is in Ready=Unknown',
      },
    });
    made.nodeClasses.set({ ...nodeClass, metadata: { ...nodeClass.metadata, generation: 2 } });
    await expect(made.create(claim)).rejects.toMatchObject({ code: 'node-class-not-ready' });
    made.nodeClasses.set({
      ...nodeClass,
      spec: { ...nodeClass.spec, tags: { 'karpenter.sh/nodepool': 'mine' } },
    });
    await expect(made.create(claim)).rejects.toMatchObject({ code: 'node-class-not-ready' });
    expect(made.cloud.calls.get('ec2:CreateFleet')).toBeUndefined();
  });

  it('reports a NodeClass without subnets, and returns no types for a NodePool without NodeClass', async () => {
    const made = await account();
    made.nodeClasses.set(withStatus(made.nodeClass('general'), { subnets: [] }));
    await expect(made.create(claim)).rejects.toMatchObject({
      code: 'launch-failed',
      details: {
        reason: 'InstanceTypeResolutionFailed',
        conditionMessage: 'Error resolving instance types',
      },
    });
    const nodePool = await made.addPool('other');
    made.nodeClasses.remove('other');
    await expect(made.provider.cloud.instanceTypes(nodePool)).rejects.toMatchObject({
      code: 'node-class-not-ready',
      message: 'ec2nodeclasses.karpenter.k8s.aws "other" not found',
    });
    expect(made.events).toEqual(['NodePool other Warning: Failed resolving NodeClass']);
  });

  it('waits while the placement group of a NodeClass cannot be found', async () => {
    const made = await account();
    const nodePool = await made.addPool('grouped', { placementGroupSelector: { name: 'nowhere' } });
    const message = 'Placement group "nowhere" not found';
    await expect(made.create(claimOf('grouped-1', 'grouped'))).rejects.toMatchObject({
      code: 'node-class-not-ready',
      message,
    });
    await expect(made.answered(made.provider.cloud.instanceTypes(nodePool))).rejects.toMatchObject({
      code: 'node-class-not-ready',
      message,
    });
  });
});

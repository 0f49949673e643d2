import { nodeClaims, ProvisioningBatcher, podTrigger, provisioner } from '@karpenter/controllers';
import { schedulerMetrics } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, describe, expect, it } from 'vitest';
import { createPendingPod, createPool, testPool } from './objects.ts';

const capacityType = 'karpenter.sh/capacity-type';
const sold = instanceType('c.large', {
  price: 0.1,
  cpu: '2',
  memory: '4Gi',
  capacityTypes: ['on-demand', 'spot'],
});

/** The instance type with all its spot offerings suspect. */
const suspectType: InstanceType = {
  ...sold,
  offerings: sold.offerings.map((offering) =>
    offering.requirements.some(({ key, values }) => key === capacityType && values?.includes('spot'))
      ? { ...offering, available: false, isSuspect: true }
      : offering,
  ),
};

let world: ControllerWorld;
afterEach(() => world.stop());

/** Creates pods before the provisioner runs, so that one pass plans for all of them. */
async function begin(pods: Readonly<Record<string, Parameters<typeof createPendingPod>[2]>>): Promise<void> {
  world = await startControllerWorld({ types: [suspectType] });
  for (const [name, weight] of [
    ['spot', 100],
    ['on-demand', 1],
  ] as const) {
    const requirements = [{ key: capacityType, operator: 'In' as const, values: [name] }];
    await createPool(world, testPool(name, { weight, requirements }));
  }
  for (const [name, parts] of Object.entries(pods)) await createPendingPod(world, name, parts);
  const batcher = new ProvisioningBatcher(world.clock, { idle: 1000, max: 10_000 });
  world.run(podTrigger(world, batcher), provisioner(world, batcher));
}

/** The NodePools of all NodeClaims, once there are `count`. */
async function pools(count: number): Promise<readonly (string | undefined)[]> {
  const claims = await world.until(async () => {
    const { items } = await world.client.list(nodeClaims);
    return items.length >= count ? items : undefined;
  });
  return claims.map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool']).sort();
}

const messagesTo = (name: string) => world.recorder.texts.filter((text) => text.includes(`/${name} `));

describe('suspect offerings', () => {
  it('are skipped in favour of a NodePool with less weight', async () => {
    await begin({ any: {} });
    expect(await pools(1)).toEqual(['on-demand']);
    expect(world.log.of('skipping, nodepool requirements filtered out all instance types')).toEqual([]);
  });

  it('are used in the same pass by pods that fit nothing else, without a FailedScheduling event', async () => {
    await begin({ any: {}, picky: { nodeSelector: { [capacityType]: 'spot' } } });
    expect(await pools(2)).toEqual(['on-demand', 'spot']);
    await world.until(() => messagesTo('picky').length > 0);
    expect(messagesTo('picky')).toEqual([expect.stringMatching(/Nominated: .*nodeclaim\/spot-/)]);
    expect(world.log.of('could not schedule pod')).toEqual([]);
    expect(world.log.of('computed new nodeclaim(s) to fit pod(s)')).toEqual([
      { nodeclaims: 1, pods: 1 },
      { nodeclaims: 1, pods: 1 },
    ]);
    expect(world.meters.values(schedulerMetrics.unschedulablePods)).toEqual([0]);
  });

  it('do not help a pod that is too large: it gets one event, and other pods keep their place', async () => {
    await begin({ any: {}, huge: { cpu: '100' } });
    await world.until(() => messagesTo('huge').length > 0);
    expect(await pools(1)).toEqual(['on-demand']);
    expect(messagesTo('huge')).toEqual([expect.stringMatching(/FailedScheduling: .*no instance type/)]);
    expect(world.log.of('could not schedule pod')).toHaveLength(1);
    expect(world.meters.values(schedulerMetrics.unschedulablePods)).toEqual([1]);
  });
});

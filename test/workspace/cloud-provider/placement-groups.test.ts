import { seconds } from '@karpenter/core/api';
import type { SimulatedPlacementGroup } from '@karpenter/sim/cloud';
import { describe, expect, it } from 'vitest';
import { claimOf, launchedClaim, ofType, onDemand, only, SimulatedAccount } from './simulated-account.ts';

const groupKey = 'karpenter.k8s.aws/placement-group-id';
const partitionKey = 'karpenter.k8s.aws/placement-group-partition';
const group: SimulatedPlacementGroup = {
  id: 'pg-0123456789abcdef0',
  name: 'apart',
  strategy: 'partition',
  partitions: 3,
  tags: new Map(),
};

async function account(): Promise<SimulatedAccount> {
  const made = new SimulatedAccount();
  made.cloud.world.placementGroups.set(group.id, group);
  await made.start();
  await made.addPool('apart', { placementGroupSelector: { name: 'apart' } });
  return made;
}

const claim = claimOf('apart-1', 'apart', [onDemand, ofType('m5.large')]);
const hookOf = ({ provider }: SimulatedAccount) => {
  const [hook] = provider.cloud.registrationHooks;
  if (hook === undefined) throw new Error('there is no hook');
  return hook;
};

describe('an instance in a partition placement group', () => {
  it('is registered only once EC2 has reported its partition', async () => {
    const made = await account();
    const launched = launchedClaim(claim, await made.create(claim));
    expect(launched.metadata.labels).toMatchObject({ [groupKey]: group.id, [partitionKey]: '' });
    const hook = hookOf(made);
    expect(hook.name).toBe('PlacementGroupRegistrationHook');
    await made.clock.advance(seconds(10));
    const instance = [...made.cloud.world.instances.values()][0];
    expect(await made.answered(hook.registered(launched))).toEqual({
      done: true,
      labels: { [partitionKey]: String(instance?.placement.partition) },
    });
    const { status: _, ...unlaunched } = launched;
    expect(await hook.registered(unlaunched)).toEqual({ done: false, requeueAfter: seconds(1) });
    expect(await made.answered(made.provider.cloud.driftReason(launched))).toBeUndefined();
  });

  it('is registered at once if its NodeClaim requires a partition', async () => {
    const made = await account();
    const asked = claimOf('apart-1', 'apart', [onDemand, ofType('m5.large'), only(partitionKey, '2')]);
    const launched = launchedClaim(asked, await made.create(asked));
    expect(launched.metadata.labels).toMatchObject({ [partitionKey]: '2' });
    expect(await hookOf(made).registered(launched)).toEqual({ done: true });
    expect([...made.cloud.world.instances.values()][0]?.placement.partition).toBe(2);
  });

  it('is not registered once it is gone, and other instances do not wait', async () => {
    const made = await account();
    const launched = launchedClaim(claim, await made.create(claim));
    const lost = {
      ...launched,
      status: { ...launched.status, providerID: 'aws:///us-west-2a/i-0123456789abcdef0' },
    };
    await expect(made.answered(hookOf(made).registered(lost))).rejects.toMatchObject({
      code: 'instance-not-found',
    });
    await made.addPool('general');
    const plain = claimOf('general-1', 'general', [onDemand, ofType('m5.large')]);
    const elsewhere = launchedClaim(plain, await made.create(plain));
    expect(elsewhere.metadata.labels).not.toHaveProperty(partitionKey);
    expect(await hookOf(made).registered(elsewhere)).toEqual({ done: true });
  });

  it('drifts when its NodeClass selects another group', async () => {
    const made = await account();
    const launched = launchedClaim(claim, await made.create(claim));
    made.cloud.world.placementGroups.clear();
    const other = { ...group, id: 'pg-0fedcba9876543210' };
    made.cloud.world.placementGroups.set(other.id, other);
    await made.clock.advance(seconds(61));
    expect(await made.answered(made.provider.cloud.driftReason(launched))).toBe('PlacementGroupDrift');
  });
});

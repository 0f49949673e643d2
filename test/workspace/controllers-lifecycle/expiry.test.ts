import { nodeClaimExpiration, nodePools } from '@karpenter/controllers';
import { hours, minutes, seconds } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testPool } from '../controllers/objects.ts';
import { readClaim } from './claims.ts';
import { createPodOn, finishPod } from './objects.ts';
import { startTerminationWorld, type TerminationWorld } from './termination-world.ts';

let world: TerminationWorld;

beforeEach(async () => {
  world = await startTerminationWorld({ beside: (made) => [nodeClaimExpiration(made)] });
});

afterEach(() => world.stop());

/** Advances the clock by the expireAfter of the claims. */
async function expire(): Promise<void> {
  await world.driver.pass(hours(1));
  await world.driver.settle();
}

describe('an expired node', () => {
  it('is deleted although the budget of its NodePool allows no disruption', async () => {
    const { spec, ...pool } = testPool();
    const disruption = { ...spec.disruption, budgets: [{ nodes: '0' }] };
    await world.client.create(nodePools, { ...pool, spec: { ...spec, disruption } });
    await world.createNode({ expireAfter: '1h' });
    await expire();
    expect((await readClaim(world, 'a')).metadata.deletionTimestamp).toBeDefined();
    await world.driver.pass(seconds(30));
    expect([await world.hasNode(), await world.hasClaim()]).toEqual([false, false]);
  });

  it('respects PDBs until its grace period ends', async () => {
    await world.createNode({ expireAfter: '1h', terminationGracePeriod: '10m' });
    await world.client.create(kinds.podDisruptionBudget, {
      metadata: { name: 'budget', namespace: 'default' },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } },
    });
    await createPodOn(world, 'node-a', 'web', { labels: { app: 'web' }, terminationGracePeriodSeconds: 30 });
    await expire();
    await world.driver.pass(minutes(9));
    expect(world.removals).toContain('evict web');
    expect(await world.ending()).toEqual({});
    await world.driver.pass(seconds(31));
    expect(world.removals.at(-1)).toBe('delete web 29');
    await finishPod(world, 'web');
    await world.driver.pass(seconds(30));
    expect([await world.hasNode(), await world.hasClaim()]).toEqual([false, false]);
  });
});

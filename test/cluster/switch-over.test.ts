import { ec2NodeClasses } from '@karpenter/aws';
import { nodeClaims } from '@karpenter/controllers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentStamps, leaveAsKarpenter } from '../switch-over/karpenter-cluster.ts';
import { type RealSwitchOver, realSwitchOver } from '../switch-over/real-control-plane.ts';
import {
  claimNames,
  deployWeb,
  foreignMetadata,
  isDrifted,
  leases,
  runningPods,
  stampsOf,
} from '../switch-over/taken-over-objects.ts';

const names = ['default-aaaaa', 'default-bbbbb'];
const outdated = 'default-zzzzz';

let world: RealSwitchOver;
beforeEach(async () => {
  world = await realSwitchOver();
}, 60_000);
afterEach(() => world.stop(), 60_000);

const driftedClaims = async () =>
  (await world.nodeClaims()).filter(isDrifted).map(({ metadata }) => metadata.name);

/** A NodeClaim whose hash is out of date: once it drifts, the controllers have judged the others too. */
async function outdate(name: string): Promise<void> {
  const body = { metadata: { annotations: { 'karpenter.sh/nodepool-hash': '1' } } };
  await world.client.patch(nodeClaims, { name }, { type: 'merge', body });
}

describe('a cluster of Karpenter 1.14 on a real control plane', () => {
  it('is taken over and can go back: no NodeClaim drifts, none is deleted, new pods get nodes', async () => {
    const stamps = currentStamps(world);
    await leaveAsKarpenter(world, [...names, outdated]);
    await outdate(outdated);
    await deployWeb(world, 3);

    const stopControllers = world.startControllers();
    await world.eventually(driftedClaims).toEqual([outdated]);
    await world.scale('web', 4);
    await world.eventually(() => runningPods(world)).toBe(4);
    await stopControllers();

    expect(await claimNames(world)).toEqual(expect.arrayContaining(names));
    const claims = (await world.nodeClaims()).filter(({ metadata }) => metadata.name !== outdated);
    expect(claims.length).toBeGreaterThan(names.length);
    expect(claims.map(stampsOf)).toEqual(claims.map(() => stamps));
    expect(claims.filter(isDrifted)).toEqual([]);
    expect(stampsOf(await world.nodePool('default'))).toMatchObject({ nodePool: stamps.nodePool });
    const nodeClass = await world.client.get(ec2NodeClasses, { name: 'default' });
    expect(stampsOf(nodeClass)).toMatchObject({ nodeClass: stamps.nodeClass });

    expect(await foreignMetadata(world)).toEqual({ keys: [], finalizers: [] });
    expect(await leases(world, 'default')).toEqual([['karpenter-leader-election', '']]);
  }, 240_000);
});

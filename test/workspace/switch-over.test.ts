import { ec2NodeClasses } from '@karpenter/aws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentStamps, leaveAsKarpenter } from '../switch-over/karpenter-cluster.ts';
import { nodeClassHashOf, nodePoolHashOf } from '../switch-over/karpenter-hashes.ts';
import type { Stamps } from '../switch-over/karpenter-objects.ts';
import { type SwitchOverCluster, switchOverCluster } from '../switch-over/running-controllers.ts';
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
const minute = 60_000;

let world: SwitchOverCluster;

describe('the hashes of Karpenter that these tests compute', () => {
  it('equal what a running Karpenter wrote on a NodePool', () => {
    const kwok = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' };
    expect(nodePoolHashOf({ nodeClass: kwok, expireAfterHours: 720 })).toBe('12745407319442031341');
    const test = { group: 'karpenter.test.sh', kind: 'TestNodeClass', name: 'default' };
    expect(nodePoolHashOf({ nodeClass: test, expireAfterHours: 720 })).toBe('15987417032968393143');
    expect(nodePoolHashOf({ nodeClass: test, expireAfterHours: 720, labels: {} })).toBe(
      '1650812449358321585',
    );
  });

  it('differ with every field of a NodeClass', () => {
    const base = { role: 'r', tags: { a: 'b' }, amiFamily: 'AL2023', caBundle: 'c' };
    const changes = [{}, { role: 's' }, { tags: {} }, { amiFamily: 'AL2' }, { caBundle: 'd' }];
    const hashes = changes.map((change) => nodeClassHashOf({ ...base, ...change }));
    expect(new Set(hashes).size).toBe(changes.length);
  });
});

describe('a cluster of Karpenter 1.14', () => {
  beforeEach(async () => {
    world = await switchOverCluster();
  });
  afterEach(() => world.stop());

  it('is taken over: no NodeClaim drifts, none is deleted, new pods get nodes, and every hash is Karpenter’s', async () => {
    const stamps = currentStamps(world);
    await leaveAsKarpenter(world, names);
    await deployWeb(world, 2);
    const instances = new Set(world.cluster.account.cloud.world.instances.keys());

    const stopControllers = world.startControllers({ 'disable-leader-election': 'true' });
    await world.pass(6 * minute);
    // Instance types of NodeClaims are checked once they are an hour old.
    await world.clock.leap(60 * minute);
    await world.pass(6 * minute);
    expect(await claimNames(world)).toEqual(names);
    expect((await world.nodeClaims()).filter(isDrifted)).toEqual([]);
    expect(new Set(world.cluster.account.cloud.world.instances.keys())).toEqual(instances);
    expect(await runningPods(world)).toBe(2);

    await world.scale('web', 4);
    await world.eventually(() => runningPods(world)).toBe(4);
    await world.pass(minute);
    await stopControllers();

    const claims = await world.nodeClaims();
    expect(claims).toHaveLength(4);
    expect(claims.map(stampsOf)).toEqual(claims.map(() => stamps));
    expect(stampsOf(await world.nodePool('default'))).toMatchObject({ nodePool: stamps.nodePool });
    const nodeClass = await world.client.get(ec2NodeClasses, { name: 'default' });
    expect(stampsOf(nodeClass)).toMatchObject({ nodeClass: stamps.nodeClass });
  }, 180_000);

  it('goes back: what is new on objects is what Karpenter knows, and the lease is free', async () => {
    await leaveAsKarpenter(world, names);
    await deployWeb(world, 2);
    const stopControllers = world.startControllers();
    await world.pass(minute);
    await world.scale('web', 3);
    await world.eventually(() => runningPods(world)).toBe(3);
    await world.pass(minute);
    await stopControllers();

    expect(await foreignMetadata(world)).toEqual({ keys: [], finalizers: [] });
    expect(await leases(world, 'default')).toEqual([['karpenter-leader-election', '']]);
  }, 120_000);

  it('is taken over from an older release, whose hashes have other versions', async () => {
    const old: Stamps = {
      nodePool: { hash: '1', version: 'v2' },
      nodeClass: { hash: '2', version: 'v4' },
    };
    await leaveAsKarpenter(world, names, old);
    await deployWeb(world, 2);
    const stopControllers = world.startControllers();
    await world.pass(6 * minute);
    await stopControllers();
    expect(await claimNames(world)).toEqual(names);
    expect((await world.nodeClaims()).filter(isDrifted)).toEqual([]);
    expect((await world.nodeClaims()).map(stampsOf)).toEqual(names.map(() => currentStamps(world)));
  }, 120_000);

  it.each(['nodePool', 'nodeClass'] as const)(
    'still replaces nodes whose %s had changed before',
    async (part) => {
      const current = currentStamps(world);
      const outdated = { ...current, [part]: { ...current[part], hash: '1' } };
      await leaveAsKarpenter(world, ['default-aaaaa'], outdated);
      await deployWeb(world, 1);
      const stopControllers = world.startControllers();
      await world.eventually(() => claimNames(world)).not.toContain('default-aaaaa');
      await world.eventually(() => runningPods(world)).toBe(1);
      await stopControllers();
      expect((await world.nodeClaims()).map(stampsOf)).toEqual([current]);
    },
    120_000,
  );
});

import { ec2NodeClasses } from '@karpenter/aws';
import type { NodeClaim } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentStamps, leaveAsKarpenter } from '../switch-over/karpenter-cluster.ts';
import { nodeClassHashOf, nodePoolHashOf } from '../switch-over/karpenter-hashes.ts';
import type { Stamps } from '../switch-over/karpenter-objects.ts';
import { type SwitchOverCluster, switchOverCluster } from '../switch-over/running-controllers.ts';

const names = ['default-aaaaa', 'default-bbbbb'];
const minute = 60_000;

let world: SwitchOverCluster;

const stampsOf = ({ metadata }: Pick<NodeClaim, 'metadata'>): object => ({
  nodePool: {
    hash: metadata.annotations?.['karpenter.sh/nodepool-hash'],
    version: metadata.annotations?.['karpenter.sh/nodepool-hash-version'],
  },
  nodeClass: {
    hash: metadata.annotations?.['karpenter.k8s.aws/ec2nodeclass-hash'],
    version: metadata.annotations?.['karpenter.k8s.aws/ec2nodeclass-hash-version'],
  },
});
const isDrifted = ({ status }: NodeClaim) =>
  (status?.conditions ?? []).some(({ type, status: value }) => type === 'Drifted' && value === 'True');
const runningPods = async () =>
  (await world.pods('web')).filter(({ status }) => status?.phase === 'Running').length;

/** Pods that need a node each, so that no node is empty and none can be removed. */
async function deployWeb(replicas: number): Promise<void> {
  const labels = { app: 'web' };
  const topologyKey = 'kubernetes.io/hostname';
  await world.client.create(kinds.deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: { 'karpenter.sh/nodepool': 'default' },
          containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey, labelSelector: { matchLabels: labels } },
              ],
            },
          },
        },
      },
    },
  });
  await world.eventually(runningPods).toBe(replicas);
}

async function claimNames(): Promise<readonly string[]> {
  return (await world.nodeClaims()).map(({ metadata }) => metadata.name).sort();
}

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
    await deployWeb(2);
    const instances = new Set(world.cluster.account.cloud.world.instances.keys());

    const stopControllers = world.startControllers({ 'disable-leader-election': 'true' });
    await world.pass(6 * minute);
    // Instance types of NodeClaims are checked once they are an hour old.
    await world.clock.leap(60 * minute);
    await world.pass(6 * minute);
    expect(await claimNames()).toEqual(names);
    expect((await world.nodeClaims()).filter(isDrifted)).toEqual([]);
    expect(new Set(world.cluster.account.cloud.world.instances.keys())).toEqual(instances);
    expect(await runningPods()).toBe(2);

    await world.scale('web', 4);
    await world.eventually(runningPods).toBe(4);
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
    await deployWeb(2);
    const stopControllers = world.startControllers();
    await world.pass(minute);
    await world.scale('web', 3);
    await world.eventually(runningPods).toBe(3);
    await world.pass(minute);
    await stopControllers();

    const objects = [
      ...(await world.nodeClaims()),
      ...(await world.nodes()),
      await world.nodePool('default'),
      await world.client.get(ec2NodeClasses, { name: 'default' }),
    ];
    const keys = objects.flatMap(({ metadata }) => [
      ...Object.keys(metadata?.annotations ?? {}),
      ...Object.keys(metadata?.labels ?? {}),
    ]);
    expect(keys.filter((key) => key.startsWith('karpenter-ts'))).toEqual([]);
    const finalizers = objects.flatMap(({ metadata }) => metadata?.finalizers ?? []);
    expect([...new Set(finalizers)].sort()).toEqual([
      'karpenter.k8s.aws/termination',
      'karpenter.sh/termination',
    ]);
    const { items } = await world.client.list(kinds.lease, { namespace: 'default' });
    expect(items.map(({ metadata, spec }) => [metadata?.name, spec?.holderIdentity])).toEqual([
      ['karpenter-leader-election', ''],
    ]);
  }, 120_000);

  it('is taken over from an older release, whose hashes have other versions', async () => {
    const old: Stamps = {
      nodePool: { hash: '1', version: 'v2' },
      nodeClass: { hash: '2', version: 'v4' },
    };
    await leaveAsKarpenter(world, names, old);
    await deployWeb(2);
    const stopControllers = world.startControllers();
    await world.pass(6 * minute);
    await stopControllers();
    expect(await claimNames()).toEqual(names);
    expect((await world.nodeClaims()).filter(isDrifted)).toEqual([]);
    expect((await world.nodeClaims()).map(stampsOf)).toEqual(names.map(() => currentStamps(world)));
  }, 120_000);

  it.each(['nodePool', 'nodeClass'] as const)(
    'still replaces nodes whose %s had changed before',
    async (part) => {
      const current = currentStamps(world);
      const outdated = { ...current, [part]: { ...current[part], hash: '1' } };
      await leaveAsKarpenter(world, ['default-aaaaa'], outdated);
      await deployWeb(1);
      const stopControllers = world.startControllers();
      await world.eventually(claimNames).not.toContain('default-aaaaa');
      await world.eventually(runningPods).toBe(1);
      await stopControllers();
      expect((await world.nodeClaims()).map(stampsOf)).toEqual([current]);
    },
    120_000,
  );
});

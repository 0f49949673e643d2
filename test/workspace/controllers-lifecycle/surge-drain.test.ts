import { surgeDrain } from '@karpenter/controllers';
import { minutes, seconds } from '@karpenter/core/api';
import type { CompleteOwnerReference } from '@karpenter/core/schema';
import { ApiError, kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Driver } from './driver.ts';
import { createPodOn, finishPod, joinNode } from './objects.ts';
import { startTerminationWorld, type TerminationWorld } from './termination-world.ts';

let world: TerminationWorld;
let replicaSet: CompleteOwnerReference;

const labels = { app: 'single' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'app' }] } };
const key = { namespace: 'default', name: 'single' };

beforeEach(async () => {
  world = await startTerminationWorld();
  await world.createNode();
  await joinNode(world, 'node-b', 'foreign://b', { taints: [] });
});

afterEach(() => world.stop());

async function createWorkload(
  annotation: string | undefined,
  { replicas = 1, strategy = 'RollingUpdate' }: { replicas?: number; strategy?: string } = {},
): Promise<void> {
  const selector = { matchLabels: labels };
  const deployment = await world.client.create(kinds.deployment, {
    metadata: key,
    spec: { replicas, selector, template, strategy: { type: strategy } },
  });
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'single',
    uid: deployment.metadata?.uid ?? '',
  };
  const made = await world.client.create(kinds.replicaSet, {
    metadata: { ...key, ownerReferences: [{ ...owner, controller: true }] },
    spec: { replicas, selector, template },
  });
  const uid = made.metadata?.uid ?? '';
  replicaSet = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'single', uid, controller: true };
  await addPod('node-a', 'old', annotation);
}

/** Creates and starts the second pod, as ReplicaSet controller, kube-scheduler and kubelet do. */
async function addPod(nodeName: string, name: string, annotation?: string): Promise<void> {
  const annotations: Record<string, string> =
    annotation === undefined ? {} : { 'karpenter-ts/surge-drain': annotation };
  await createPodOn(world, nodeName, name, { labels, annotations, owner: replicaSet });
}

const deployment = () => world.client.get(kinds.deployment, key);
const replicas = async () => (await deployment()).spec?.replicas;

async function drain(): Promise<void> {
  await world.deleteNode();
  await world.driver.settle();
}

describe('a single pod with the surge-drain annotation', () => {
  it('is evicted once the second pod is ready, and its Deployment is scaled back', async () => {
    await createWorkload('true');
    await drain();
    expect(await replicas()).toBe(2);
    await world.driver.pass(minutes(1));
    expect(world.removals).toEqual([]);
    await addPod('node-b', 'new', 'true');
    await world.driver.pass(seconds(10));
    expect(world.removals).toEqual(['evict old']);
    expect(await replicas()).toBe(1);
    expect((await deployment()).metadata?.annotations ?? {}).not.toHaveProperty('karpenter-ts/surge-of');
    expect((await deployment()).metadata?.labels ?? {}).not.toHaveProperty('karpenter-ts/surging');
  });

  it('is evicted without a second pod when that takes too long', async () => {
    await createWorkload('30s');
    await drain();
    await world.driver.pass(seconds(29));
    expect(world.removals).toEqual([]);
    await world.driver.pass(seconds(11));
    expect(world.removals).toEqual(['evict old']);
    expect(await replicas()).toBe(1);
  });

  it('does not count a second pod on a node that is deleted too', async () => {
    await createWorkload('true');
    await drain();
    await addPod('node-a', 'new', 'true');
    await world.driver.pass(minutes(1));
    expect(world.removals).toEqual(['evict new']);
  });

  it('keeps a replica count that someone has set meanwhile', async () => {
    await createWorkload('true');
    await drain();
    await world.client.patch(kinds.deployment, key, { type: 'merge', body: { spec: { replicas: 5 } } });
    await addPod('node-b', 'new', 'true');
    await world.driver.pass(seconds(10));
    expect(world.removals).toEqual(['evict old']);
    expect(await replicas()).toBe(5);
  });

  it('is handled by a process that restarts in the middle', async () => {
    await createWorkload('true');
    await drain();
    const restarted = world.restart();
    await restarted.pass(seconds(30));
    expect(await replicas()).toBe(2);
    await addPod('node-b', 'new', 'true');
    await restarted.pass(seconds(20));
    expect(world.removals).toContain('evict old');
    expect(await replicas()).toBe(1);
  });

  it('leaves no second pod behind when it ends by itself', async () => {
    await createWorkload('true');
    await drain();
    expect(await replicas()).toBe(2);
    const collector = new Driver(world, surgeDrain(world));
    await collector.pass(minutes(1));
    expect(await replicas()).toBe(2);
    await finishPod(world, 'old');
    await collector.pass(seconds(30));
    expect(await replicas()).toBe(1);
  });
});

describe('a pod is evicted without a surge', () => {
  it('without permission to scale its Deployment, with an error in the log', async () => {
    await createWorkload('true');
    const patch = world.client.patch.bind(world.client);
    world.client.patch = async (kind, name, change, options) => {
      if (kind.kind !== 'Deployment') return patch(kind, name, change, options);
      const status = { code: 403, reason: 'Forbidden', message: 'not allowed', causes: [] };
      throw new ApiError('patch deployments', status);
    };
    await drain();
    expect(world.removals).toEqual(['evict old']);
    expect(world.log.of('failed scaling up for drain')).toEqual([
      { error: 'cannot patch deployments: not allowed' },
    ]);
  });

  it.each([
    ['without the annotation', undefined, {}],
    ['with the annotation false', 'false', {}],
    ['with an invalid annotation', 'perhaps', {}],
    ['with more than one replica', 'true', { replicas: 2 }],
    ['with the strategy Recreate', 'true', { strategy: 'Recreate' }],
  ])('%s', async (_case, annotation, workload) => {
    await createWorkload(annotation, workload);
    await drain();
    expect(world.removals).toEqual(['evict old']);
    expect(await replicas()).toBe('replicas' in workload ? workload.replicas : 1);
  });
});

import { nodeClaims } from '@karpenter/controllers';
import { minutes, podMetrics, seconds } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOf, readClaim, readNode } from './claims.ts';
import { createDaemonSet, createPodOn, finishPod } from './objects.ts';
import { evictAsCached, startTerminationWorld, type TerminationWorld } from './termination-world.ts';

let world: TerminationWorld;

beforeEach(async () => {
  world = await startTerminationWorld();
  await world.createNode();
});

afterEach(() => world.stop());

const pod = (name: string, parts: Parameters<typeof createPodOn>[3] = {}) =>
  createPodOn(world, 'node-a', name, parts);
const isDrained = async () => conditionsOf(await readClaim(world, 'a'))['Drained'] === 'True Drained: ';

async function drain(): Promise<void> {
  await world.deleteNode();
  await world.driver.settle();
}

/** A PodDisruptionBudget that allows so many disruptions. */
async function createBudget(name: string, app: string, disruptionsAllowed: number): Promise<void> {
  await world.client.create(kinds.podDisruptionBudget, {
    metadata: { name, namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: { app } } },
  });
  await setBudget(name, disruptionsAllowed);
}

async function setBudget(name: string, disruptionsAllowed: number): Promise<void> {
  const status = {
    disruptionsAllowed,
    observedGeneration: 1,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
  };
  const key = { namespace: 'default', name };
  await world.client.patch(
    kinds.podDisruptionBudget,
    key,
    { type: 'merge', body: { status } },
    { subresource: 'status' },
  );
}

describe('draining', () => {
  it('evicts pods, waits for them, and publishes how many it waits for', async () => {
    await pod('one');
    await pod('two');
    await drain();
    expect(world.removals).toEqual(['evict one', 'evict two']);
    await world.driver.pass(seconds(20));
    expect(await isDrained()).toBe(false);
    expect(world.removals).toHaveLength(2);
    expect(world.recorder.texts).toContain(
      'Node/node-a FailedDraining: Failed to drain node, 2 pods are waiting to be evicted',
    );
    await finishPod(world, 'one');
    await finishPod(world, 'two');
    await world.driver.pass(seconds(15));
    expect(await world.hasNode()).toBe(false);
  });

  it('evicts in groups: workloads, daemons, critical workloads, critical daemons', async () => {
    const owner = await createDaemonSet(world);
    await pod('critical-daemon', { owner, priorityClassName: 'system-node-critical' });
    await pod('critical', { priorityClassName: 'system-cluster-critical' });
    await pod('daemon', { owner });
    await pod('workload');
    await drain();
    for (const name of ['workload', 'daemon', 'critical', 'critical-daemon']) {
      expect(world.removals.at(-1)).toBe(`evict ${name}`);
      await world.driver.pass(seconds(5));
      expect(world.removals.at(-1)).toBe(`evict ${name}`);
      await finishPod(world, name);
      await world.driver.settle();
    }
    expect(world.removals).toHaveLength(4);
  });

  it('counts the pods of every group among those it waits for', async () => {
    await pod('daemon', { owner: await createDaemonSet(world) });
    await pod('workload');
    await drain();
    expect(world.recorder.texts).toContain(
      'Node/node-a FailedDraining: Failed to drain node, 2 pods are waiting to be evicted',
    );
  });

  it('polls every second while pods are left', async () => {
    await pod('stay', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
    await drain();
    const polls = () => world.recorder.texts.filter((text) => text.includes('FailedDraining')).length;
    const before = polls();
    await world.driver.pass(seconds(10));
    expect(polls() - before).toBe(10);
  });

  it('does not wait for pods that tolerate the disrupted taint, are terminal or are mirror pods', async () => {
    await pod('tolerant', { tolerations: [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }] });
    await pod('done', { phase: 'Succeeded' });
    await pod('failed', { phase: 'Failed' });
    const { metadata } = await readNode(world, 'node-a');
    const owner = { apiVersion: 'v1', kind: 'Node', name: 'node-a', uid: metadata?.uid ?? '' };
    await pod('mirror', { owner });
    await drain();
    await world.driver.pass(seconds(5));
    expect(world.removals).toEqual([]);
    expect(await world.hasNode()).toBe(false);
  });

  it('evicts pods that tolerate only the unschedulable taint, and pods without an owner', async () => {
    await pod('cordoned', {
      tolerations: [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }],
    });
    await pod('ownerless');
    await drain();
    expect(world.removals).toEqual(['evict cordoned', 'evict ownerless']);
  });

  it('stops waiting for a pod whose termination is overdue by more than a minute', async () => {
    await pod('stuck', { terminationGracePeriodSeconds: 10 });
    await drain();
    await world.driver.pass(seconds(70) - 1);
    expect(await world.hasNode()).toBe(true);
    await world.driver.pass(seconds(3));
    expect(await world.hasNode()).toBe(false);
  });

  it('waits for do-not-disrupt pods forever without a terminationGracePeriod', async () => {
    await pod('stay', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
    await pod('daemon', { owner: await createDaemonSet(world) });
    await drain();
    await world.driver.pass(minutes(2));
    expect(world.removals).toEqual([]);
    expect(await world.hasNode()).toBe(true);
  });
});

describe('an eviction', () => {
  it('publishes an event on the pod with the disruption reason, and is counted', async () => {
    await pod('one');
    const condition = {
      type: 'DisruptionReason',
      status: 'True',
      reason: 'Underutilized',
      message: 'Underutilized',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const { status } = await readClaim(world, 'a');
    const body = { status: { conditions: [...(status?.conditions ?? []), condition] } };
    await world.client.patch(nodeClaims, { name: 'a' }, { type: 'merge', body }, { subresource: 'status' });
    await world.driver.settle();
    await drain();
    expect(world.recorder.texts).toContain('Pod/one Evicted: Evicted pod: Underutilized');
    expect(world.meters.values(podMetrics.drained, { reason: 'Underutilized' })).toEqual([1]);
    expect(world.meters.values(podMetrics.evictionRequests, { code: '200' })).toEqual([1]);
  });

  it('has the reason Forceful Termination without a DisruptionReason condition', async () => {
    await pod('one');
    await drain();
    expect(world.recorder.texts).toContain('Pod/one Evicted: Evicted pod: Forceful Termination');
    expect(world.meters.values(podMetrics.drained, { reason: 'Forceful Termination' })).toEqual([1]);
  });

  it('that a PDB forbids is retried with a backoff up to 10 s, with an event on the Node', async () => {
    await createBudget('budget', 'web', 0);
    await pod('web', { labels: { app: 'web' } });
    await drain();
    await world.driver.pass(seconds(3));
    expect(world.recorder.texts).toContain(
      'Node/node-a FailedDraining: Failed to drain node, evicting pod violates a PDB (Pod=default/web) (PodDisruptionBudget=[default/budget])',
    );
    expect(world.recorder.texts).toContain(
      'Node/node-a FailedDraining: Failed to drain node, 1 pods are waiting to be evicted (PodDisruptionBudget=[default/budget])',
    );
    // At 0, 0.1, 0.3, 0.7, 1.5 s; the next after 3.1 s.
    expect(world.removals).toHaveLength(5);
    expect(world.meters.values(podMetrics.evictionRequests, { code: '429' })).toEqual([5]);
    await world.driver.pass(minutes(1));
    const before = world.removals.length;
    await world.driver.pass(seconds(20));
    expect(world.removals.length - before).toBe(2);
    await setBudget('budget', 1);
    await world.driver.pass(seconds(10));
    expect(await world.ending()).toHaveProperty('web');
    expect(world.driver.errors).toEqual([]);
  });

  it('of a pod with several PDBs is retried, with an event on the Node that this is not supported', async () => {
    await createBudget('one', 'web', 1);
    await createBudget('two', 'web', 1);
    await pod('web', { labels: { app: 'web' } });
    await drain();
    await world.driver.pass(seconds(1));
    expect(world.recorder.texts).toContain(
      'Node/node-a FailedDraining: Failed to drain node, eviction does not support multiple PDBs (Pod=default/web) (PodDisruptionBudget(s)=[default/one default/two])',
    );
    expect(world.removals.length).toBeGreaterThan(1);
    await world.client.delete(kinds.podDisruptionBudget, { namespace: 'default', name: 'two' });
    await world.driver.pass(seconds(10));
    expect(await world.ending()).toHaveProperty('web');
  });

  it('ends when the pod is gone or another pod has its name', async () => {
    await createBudget('budget', 'web', 0);
    await pod('web', { labels: { app: 'web' } });
    await drain();
    expect(world.evictions.size).toBe(1);
    await finishPod(world, 'web');
    await createPodOn(world, 'elsewhere', 'web', { labels: { app: 'web' } });
    const before = world.removals.length;
    await world.driver.pass(seconds(20));
    expect(world.removals).toHaveLength(before);
    expect(world.evictions.size).toBe(0);
  });

  it('never evicts another pod of the same name, even if the cache still shows the old one', async () => {
    await pod('web');
    await evictAsCached(world, 'web', async () => {
      await finishPod(world, 'web');
      await createPodOn(world, 'elsewhere', 'web');
    });
    expect(world.meters.values(podMetrics.evictionRequests, { code: '409' })).toEqual([1]);
    expect(await world.ending()).toEqual({});
    expect(world.evictions.size).toBe(0);
  });

  it('ends when the server says that the pod is gone, even if the cache still shows it', async () => {
    await pod('web');
    await evictAsCached(world, 'web', () => finishPod(world, 'web'));
    expect(world.meters.values(podMetrics.evictionRequests, { code: '404' })).toEqual([1]);
    expect(world.recorder.texts.filter((text) => text.includes('Evicted'))).toEqual([]);
    expect(world.evictions.size).toBe(0);
  });

  it('that fails for another reason is logged and retried', async () => {
    await pod('web');
    const evict = world.client.evict.bind(world.client);
    let failures = 2;
    world.client.evict = async (key, options) => {
      if (failures === 0) return evict(key, options);
      failures -= 1;
      throw new Error('the server is away');
    };
    await drain();
    await world.driver.pass(seconds(1));
    expect(world.log.of('failed evicting pod')).toEqual([
      { error: 'the server is away' },
      { error: 'the server is away' },
    ]);
    expect(await world.ending()).toHaveProperty('web');
  });
});

describe('a pod with a do-not-disrupt duration', () => {
  const doNotDisrupt = 'karpenter.sh/do-not-disrupt';

  it('is not evicted until the duration has elapsed, with an event before and after', async () => {
    await pod('job', { annotations: { [doNotDisrupt]: '1m' }, startTime: '2026-01-01T00:00:00Z' });
    await drain();
    await world.driver.pass(minutes(1) - 1);
    expect(world.removals).toEqual([]);
    expect(world.recorder.texts).toContain(
      'Pod/job DoNotDisruptUntil: The karpenter.sh/do-not-disrupt grace period will elapse at 2026-01-01T00:01:00Z',
    );
    await world.driver.pass(1);
    expect(world.removals).toEqual(['evict job']);
    expect(world.recorder.texts).toContain(
      'Pod/job DoNotDisruptGracePeriodElapsed: The karpenter.sh/do-not-disrupt grace period has elapsed, pod is now disruptable',
    );
  });

  it('is not evicted while it has not started', async () => {
    await pod('job', { annotations: { [doNotDisrupt]: '1s' } });
    await drain();
    await world.driver.pass(minutes(1));
    expect(world.removals).toEqual([]);
  });

  it('that is invalid is evicted, with a warning', async () => {
    await pod('job', { annotations: { [doNotDisrupt]: 'soon' }, startTime: '2026-01-01T00:00:00Z' });
    await drain();
    expect(world.removals).toEqual(['evict job']);
    expect(world.recorder.texts).toContain(
      'Pod/job InvalidDoNotDisruptAnnotation: Invalid karpenter.sh/do-not-disrupt annotation: "soon" is neither "true" nor a duration, ignoring annotation',
    );
  });
});

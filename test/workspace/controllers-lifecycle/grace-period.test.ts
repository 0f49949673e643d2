import { minutes, podMetrics, seconds } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { conditionsOf, readClaim } from './claims.ts';
import { createPodOn, finishPod } from './objects.ts';
import { evictAsCached, startTerminationWorld, type TerminationWorld } from './termination-world.ts';

let world: TerminationWorld;

/** Counted from the deletion. */
const gracePeriod = minutes(2);
const deadline = '2026-01-01T00:02:00Z';
const doNotDisrupt = { 'karpenter.sh/do-not-disrupt': 'true' };

beforeEach(async () => {
  world = await startTerminationWorld();
  await world.createNode({ terminationGracePeriod: '2m' });
});

afterEach(() => world.stop());

const pod = (name: string, parts: Parameters<typeof createPodOn>[3] = {}) =>
  createPodOn(world, 'node-a', name, parts);

async function drain(): Promise<void> {
  await world.deleteNode();
  await world.driver.settle();
}

describe('a node with a terminationGracePeriod', () => {
  it('publishes on the Node when its pods will be deleted', async () => {
    await drain();
    expect(world.recorder.texts).toContain(
      `Node/node-a TerminationGracePeriodExpiring: All pods will be deleted by ${deadline}`,
    );
  });

  it('deletes a do-not-disrupt pod early enough for its own grace period', async () => {
    await pod('stay', { annotations: doNotDisrupt, terminationGracePeriodSeconds: 100 });
    await drain();
    await world.driver.pass(seconds(20));
    expect(world.removals).toEqual([]);
    await world.driver.pass(1);
    expect(world.removals).toEqual(['delete stay 99']);
    expect(world.recorder.texts).toContain(
      `Pod/stay Disrupted: Deleting the pod to accommodate the terminationTime ${deadline} of the node. ` +
        'The pod was granted 99 seconds of grace-period of its 100 terminationGracePeriodSeconds. ' +
        'This bypasses the PDB of the pod and the do-not-disrupt annotation.',
    );
    expect(world.log.of('deleting pod')).toEqual([
      {
        namespace: 'default',
        name: 'stay',
        'pod.terminationGracePeriodSeconds': 100,
        'delete.gracePeriodSeconds': 99,
        'nodeclaim.terminationTime': deadline,
      },
    ]);
    expect(world.meters.values(podMetrics.drained, { reason: 'Forceful Termination' })).toEqual([1]);
  });

  it('deletes a pod whose eviction a PDB forbids when its time has come', async () => {
    await world.client.create(kinds.podDisruptionBudget, {
      metadata: { name: 'budget', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
    });
    await pod('web', { labels: { app: 'web' }, terminationGracePeriodSeconds: 30 });
    await drain();
    await world.driver.pass(gracePeriod - seconds(30));
    expect(await world.ending()).toEqual({});
    await world.driver.pass(1);
    expect(world.removals.at(-1)).toBe('delete web 29');
    expect(await world.ending()).toHaveProperty('web');
  });

  it('deletes overdue pods of every group at once, while other pods wait for their group', async () => {
    await pod('workload', { annotations: doNotDisrupt, terminationGracePeriodSeconds: 30 });
    await pod('critical', {
      priorityClassName: 'system-cluster-critical',
      terminationGracePeriodSeconds: 100,
    });
    await pod('quick-critical', {
      priorityClassName: 'system-cluster-critical',
      terminationGracePeriodSeconds: 30,
    });
    await drain();
    await world.driver.pass(seconds(22));
    expect(world.removals.map((removal) => removal.split(' ').slice(0, 2).join(' '))).toEqual([
      'delete critical',
    ]);
  });

  it('shortens the grace period of a pod that needs more time than is left', async () => {
    await pod('slow', { terminationGracePeriodSeconds: 7200 });
    await world.client.delete(
      kinds.pod,
      { namespace: 'default', name: 'slow' },
      { gracePeriodSeconds: 7200 },
    );
    await drain();
    expect(world.removals.at(-1)).toBe('delete slow 120');
    expect(await world.ending()).toEqual({ slow: 120 });
    const before = world.removals.length;
    await world.driver.pass(seconds(30));
    expect(world.removals).toHaveLength(before);
  });

  it('never deletes with less than a second of grace', async () => {
    await pod('late', { annotations: doNotDisrupt, terminationGracePeriodSeconds: 0 });
    await drain();
    await world.driver.pass(gracePeriod);
    expect(world.removals).toEqual([]);
    await world.driver.pass(1);
    expect(world.removals).toEqual(['delete late 1']);
  });

  it('never deletes another pod of the same name, even if the cache still shows the old one', async () => {
    await pod('web', { terminationGracePeriodSeconds: 30 });
    const replace = async () => {
      await finishPod(world, 'web');
      await createPodOn(world, 'elsewhere', 'web');
    };
    await evictAsCached(world, 'web', replace, world.clock.now());
    expect(world.removals).toEqual(['delete web 1']);
    expect(await world.ending()).toEqual({});
    expect(world.recorder.texts.filter((text) => text.includes('Disrupted'))).toEqual([]);
    expect(world.evictions.size).toBe(0);
  });

  it('terminates in time whatever pods, PDBs and volumes block it', async () => {
    await pod('stay', { annotations: doNotDisrupt });
    await world.client.create(kinds.volumeAttachment, {
      metadata: { name: 'attached' },
      spec: { attacher: 'csi', nodeName: 'node-a', source: { persistentVolumeName: 'volume' } },
    });
    await drain();
    await world.driver.pass(gracePeriod);
    await finishPod(world, 'stay');
    world.cloud.endsSlowly = true;
    await world.driver.pass(seconds(20));
    expect(conditionsOf(await readClaim(world, 'a'))).toMatchObject({
      Drained: 'True Drained: ',
      VolumesDetached: 'False TerminationGracePeriodElapsed: ',
    });
    world.cloud.endsSlowly = false;
    await world.driver.pass(seconds(10));
    expect([await world.hasNode(), await world.hasClaim()]).toEqual([false, false]);
  });
});

import {
  nodeClaims,
  nodeTrigger,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
} from '@karpenter/controllers';
import { schedulerMetrics } from '@karpenter/core/api';
import { kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPendingPod, createPool, testPool } from './objects.ts';

let world: ControllerWorld;

beforeEach(async () => {
  const types = [instanceType('c.2xlarge', { price: 0.2, cpu: '8', memory: '16Gi' })];
  world = await startControllerWorld({ types });
  await createPool(world, testPool());
  const { batchIdleDuration: idle, batchMaxDuration: max } = world.settings;
  const batcher = new ProvisioningBatcher(world.clock, { idle, max });
  world.run(podTrigger(world, batcher), nodeTrigger(world, batcher), provisioner(world, batcher));
});

afterEach(() => world.stop());

/** The queue depth of each scheduling run that is still reported. */
function queueDepths(): readonly number[] {
  return world.meters.values(schedulerMetrics.queueDepth, { controller: 'provisioner' });
}

function schedulingIds(): readonly (string | undefined)[] {
  return world.meters.series(schedulerMetrics.queueDepth).map(({ labels }) => labels['scheduling_id']);
}

/** Every depth that is reported from now on. */
function reportedDepths(): readonly number[] {
  const depths: number[] = [];
  const { set } = world.meters;
  world.meters.set = (gauge, labels, value) => {
    if (gauge.name === schedulerMetrics.queueDepth.name && typeof value === 'number') depths.push(value);
    set.call(world.meters, gauge, labels, value);
  };
  return depths;
}

describe('the queue depth', () => {
  it('is the number of pods while a plan runs, and of those left without a place when it ends', async () => {
    const depths = reportedDepths();
    await createPendingPod(world, 'one');
    await createPendingPod(world, 'two');
    await createPendingPod(world, 'huge', { cpu: '100' });
    await world.until(async () => (await world.client.list(nodeClaims)).items.length > 0);
    expect(depths).toEqual([3, 1]);
  });

  it('stays until the next plan, which reports under an id of its own', async () => {
    await createPendingPod(world, 'huge', { cpu: '100' });
    await world.until(() => queueDepths().includes(1));
    const before = schedulingIds();
    await createPendingPod(world, 'vast', { cpu: '200' });
    await world.until(() => queueDepths().includes(2));
    expect(schedulingIds()).toHaveLength(1);
    expect(schedulingIds()).not.toEqual(before);
  });

  it('falls to zero when no pod is left to plan for', async () => {
    await createPendingPod(world, 'huge', { cpu: '100' });
    await world.until(() => queueDepths().includes(1));
    await world.client.delete(kinds.pod, { namespace: 'default', name: 'huge' });
    // Any pending pod triggers a pass; this one is ignored, because it asks for no NodePool.
    const matchExpressions = [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }];
    await createPendingPod(world, 'opted-out', {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
        },
      },
    });
    await world.until(() => queueDepths().includes(0));
  });
});

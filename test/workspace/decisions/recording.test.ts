import { gunzipSync } from 'node:zlib';
import { replayFile } from '@karpenter/cli';
import {
  nodeClaimLifecycle,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
  RegistrationHealth,
} from '@karpenter/controllers';
import type { NodePool } from '@karpenter/core/api';
import type { DecisionKind } from '@karpenter/core/decisions';
import { durationMs } from '@karpenter/core/values';
import type { Singleton } from '@karpenter/kube/runtime';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { runningPods } from '@karpenter/testkit/disruptable-clusters';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPendingPod, createPool, testPool } from '../controllers/objects.ts';
import { loopOf, runLoop } from '../controllers-disruption/disruption-loop.ts';
import { createNode, poolOf, types } from '../controllers-disruption/nodes.ts';
import { Driver } from '../controllers-lifecycle/driver.ts';
import { createClaim } from '../controllers-lifecycle/objects.ts';

let world: ControllerWorld;
beforeEach(async () => {
  world = await startControllerWorld({ types });
});
afterEach(() => world.stop());

const listed = (kind: DecisionKind) => world.decisions.list({ kind });

function provision(): void {
  const { batchIdleDuration: idle, batchMaxDuration: max } = world.settings;
  const batcher = new ProvisioningBatcher(world.clock, { idle, max });
  world.run(podTrigger(world, batcher), provisioner(world, batcher));
}

async function beginProvisioning(pool: NodePool = testPool()): Promise<void> {
  await createPool(world, pool);
  provision();
}

describe('a provisioning pass', () => {
  it('records its plan with the NodeClaim it created', async () => {
    await beginProvisioning();
    await createPendingPod(world, 'web', { cpu: '3' });
    const [decision] = await world.until(() => (listed('plan').length > 0 ? listed('plan') : undefined));
    expect(decision).toMatchObject({
      summary: '1 pod: 1 on 1 new node ($0.200/h)',
      isReplayable: true,
      pods: 1,
      hourly: 0.2,
      newNodes: [
        {
          nodeClaim: expect.stringMatching(/^default-/),
          nodePool: 'default',
          instanceTypes: ['medium', 'large'],
          hourly: 0.2,
          pods: ['default/web'],
        },
      ],
    });
  });

  it('counts a pod that finds no place again and again on one decision', async () => {
    await beginProvisioning();
    await createPendingPod(world, 'huge', { cpu: '100' });
    const repeated = () => listed('plan').some(({ repeats = 0 }) => repeats >= 3);
    await world.until(repeated, 5_000);
    expect(listed('plan')).toMatchObject([
      { newNodes: [], rejected: [{ pod: 'default/huge', message: expect.stringContaining('default') }] },
    ]);
  });

  it('counts plans of a pass that alternate, each on its own decision', async () => {
    await beginProvisioning();
    await createPendingPod(world, 'huge', { cpu: '100' });
    await world.until(() => listed('plan').length === 1);
    await createPendingPod(world, 'web', { cpu: '3' });
    await world.until(() => listed('plan').length === 2);
    // The pod with a node under way is held, so plans are for the other pod alone again.
    await world.until(() => listed('plan')[1]?.repeats, 5_000);
    expect(listed('plan').map(({ summary }) => summary)).toEqual([
      '2 pods: 1 on 1 new node ($0.200/h) and 1 without a place',
      '1 pod: 1 without a place',
    ]);
  });

  it('records a new plan when another pod comes', async () => {
    await beginProvisioning();
    await createPendingPod(world, 'huge', { cpu: '100' });
    await world.until(() => listed('plan').length === 1);
    await createPendingPod(world, 'huge-too', { cpu: '100' });
    await world.until(() => listed('plan').length === 2);
    expect(listed('plan').map(({ summary }) => summary)).toEqual([
      '2 pods: 2 without a place',
      '1 pod: 1 without a place',
    ]);
  });
});

describe('a launch', () => {
  const lifecycle = () =>
    new Driver(world, nodeClaimLifecycle({ ...world, registrationHealth: new RegistrationHealth(world) }));

  it('records the instance with its price, which the instance types say', async () => {
    const driver = lifecycle();
    world.cluster.learn({ type: 'instanceTypesKnown', nodePool: 'default', types });
    await createClaim(world, 'a');
    await driver.settle();
    expect(listed('launch')).toMatchObject([
      { nodeClaim: 'a', nodePool: 'default', instanceType: 'small', capacityType: 'on-demand', hourly: 0.1 },
    ]);
  });

  it('counts failures of the same claim for the same reason', async () => {
    const driver = lifecycle();
    world.cloud.fail('create', new Error('no permission'));
    await createClaim(world, 'a');
    await driver.settle();
    for (let retry = 0; retry < 3; retry += 1) {
      await world.clock.advance(durationMs(120_000));
      await driver.settle();
    }
    expect(listed('launch')).toMatchObject([{ nodeClaim: 'a', failure: 'no permission', repeats: 3 }]);
  });
});

describe('the disruption loop', () => {
  let loop: Singleton;
  beforeEach(() => {
    loop = loopOf(world);
  });

  const pass = () => runLoop(world, loop);
  const wait = () => world.clock.advance(durationMs(15_000));

  /** All disruptions, made again. */
  const replayed = () =>
    Promise.all(
      listed('disruption').map(async ({ id }) => {
        const text = gunzipSync((await world.decisions.cluster(id)) ?? '').toString();
        return replayFile({ name: 'decision.json', text });
      }),
    );

  it('records a consolidation when it starts, which replays to the same command', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(1, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(5, 'busy', { cpu: '1400m' }) });
    await pass();
    expect(listed('disruption')).toEqual([]);
    await wait();
    await pass();
    expect(listed('disruption')).toMatchObject([
      {
        summary: expect.stringMatching(/^underutilized: deletes spare, moves 1 pod, saves \$0\.\d{3}\/h$/),
        reason: 'underutilized',
        consolidationType: 'single',
        nodes: [{ node: 'spare', nodeClaim: 'claim-spare', nodePool: 'default', pods: 1 }],
        replacements: [],
        movedPods: 1,
        isReplayable: true,
      },
    ]);
    expect(await replayed()).toMatchObject([{ subject: 'command', differences: [] }]);
  });

  it('records the replacement of a drifted node, which replays to the same command', async () => {
    await createPool(world, poolOf('default', { disruption: { consolidateAfter: 'Never' } }));
    await createNode(world, 'old', { conditions: ['Drifted'], pods: runningPods(7, 'old') });
    await pass();
    expect(listed('disruption')).toMatchObject([
      { reason: 'drifted', replacements: [{ nodeClaim: expect.any(String), nodePool: 'default' }] },
    ]);
    expect(await replayed()).toMatchObject([{ subject: 'command', differences: [] }]);
  });

  it('records a static replica and an empty node, which replay too', async () => {
    await createPool(world, poolOf('fixed', { replicas: 1 }));
    await createNode(world, 'replica', { pool: 'fixed', conditions: ['Drifted'] });
    await createPool(world, poolOf());
    await createNode(world, 'idle');
    await pass();
    await wait();
    await pass();
    expect(await replayed()).toMatchObject([
      { decision: { reason: 'empty', nodes: [{ node: 'idle' }] }, differences: [] },
      { decision: { reason: 'drifted', nodes: [{ node: 'replica' }] }, differences: [] },
    ]);
  });

  it('differs when the saved cluster was changed', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(1, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(5, 'busy', { cpu: '1400m' }) });
    await pass();
    await wait();
    await pass();
    const [decision] = listed('disruption');
    const saved = JSON.parse(
      gunzipSync((await world.decisions.cluster(decision?.id ?? '')) ?? '').toString(),
    );
    const nodes = saved.objects.find(({ kind }: { readonly kind: string }) => kind === 'Node');
    nodes.items.find(
      ({ metadata }: { readonly metadata: { name: string } }) => metadata.name === 'busy',
    ).spec = {
      taints: [{ key: 'full', effect: 'NoSchedule' }],
    };
    const { differences } = await replayFile({ name: 'decision.json', text: JSON.stringify(saved) });
    expect(differences).not.toEqual([]);
  });
});

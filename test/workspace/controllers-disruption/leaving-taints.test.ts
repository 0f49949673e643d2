import { durationMs } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import type { Singleton } from '@karpenter/kube/runtime';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { runningPods } from '@karpenter/testkit/disruptable-clusters';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../controllers/objects.ts';
import { loopOf, runLoop } from './disruption-loop.ts';
import { createLatePod, createNode, poolOf, taintsOf, types } from './nodes.ts';

let world: ControllerWorld;
let loop: Singleton;

beforeEach(async () => {
  world = await startControllerWorld({ types });
  loop = loopOf(world);
});

afterEach(() => world.stop());

const leaving = { key: 'karpenter-ts/leaving', effect: 'PreferNoSchedule' };
const dedicated = { key: 'team', value: 'a', effect: 'PreferNoSchedule' };
const runOnce = () => runLoop(world, loop);
const taints = async () => [await taintsOf(world, 'spare'), await taintsOf(world, 'busy')];

const stateOf = (name: string) => world.cluster.snapshot().nodeStates.find(({ view }) => view.name === name);

/** Waits until the cluster state shows as many taints on the node. */
const untilTainted = (name: string, count: number) =>
  world.until(() => (stateOf(name)?.node?.spec?.taints ?? []).length === count);

async function taint(name: string, ...all: readonly object[]): Promise<void> {
  await world.client.patch(kinds.node, { name }, { type: 'merge', body: { spec: { taints: all } } });
  await untilTainted(name, all.length);
}

async function createNodes(pool = poolOf()): Promise<void> {
  await createPool(world, pool);
  await createNode(world, 'spare', { pods: runningPods(2, 'spare') });
  await createNode(world, 'busy', { pods: runningPods(6, 'busy') });
}

async function fillBusy(): Promise<void> {
  await createLatePod(world);
  await world.until(() => stateOf('busy')?.pods.length === 7);
}

const instanceTypeLabel = 'node.kubernetes.io/instance-type';

describe('the taint of a node that a consolidation is about to remove', () => {
  it('is set when the command is found, and on no other node', async () => {
    await createNodes();
    await runOnce();
    expect(await taints()).toEqual([[leaving.key], []]);
  });

  it('is set beside the taints that the node has', async () => {
    await createNodes();
    await taint('spare', dedicated);
    await runOnce();
    expect(await taintsOf(world, 'spare')).toEqual([dedicated.key, leaving.key]);
  });

  it('does not keep a plan from using the node', async () => {
    await createNodes();
    await taint('spare', leaving, dedicated);
    expect(stateOf('spare')?.view.taints).toEqual([dedicated]);
  });

  it('stays while the command waits', async () => {
    await createNodes();
    await runOnce();
    await untilTainted('spare', 1);
    await world.clock.advance(durationMs(10_000));
    await runOnce();
    expect(await taints()).toEqual([[leaving.key], []]);
  });

  it('stays while another node starts, although pods would have to go there now', async () => {
    await createNodes();
    await runOnce();
    await untilTainted('spare', 1);
    await fillBusy();
    await createNode(world, 'starting', { isInitialized: false });
    await world.clock.advance(durationMs(10_000));
    await runOnce();
    expect(await taintsOf(world, 'spare')).toEqual([leaving.key]);
  });

  it('is removed when pods fit nowhere else any more', async () => {
    await createNodes(
      poolOf('default', { requirements: [{ key: instanceTypeLabel, operator: 'In', values: ['large'] }] }),
    );
    await runOnce();
    await untilTainted('spare', 1);
    await fillBusy();
    await world.clock.advance(durationMs(10_000));
    await runOnce();
    expect(await taintsOf(world, 'spare')).toEqual([]);
  });

  it('is removed when the command is rejected', async () => {
    await createNodes();
    await runOnce();
    await untilTainted('spare', 1);
    const body = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } };
    await world.client.patch(kinds.node, { name: 'spare' }, { type: 'merge', body });
    await world.until(() => stateOf('spare')?.node?.metadata.annotations !== undefined);
    await world.clock.advance(durationMs(15_000));
    await runOnce();
    expect((await taints())[0]).toEqual([]);
  });

  it('is removed when no command is known, as after a restart', async () => {
    await createNodes(poolOf('default', { disruption: { consolidateAfter: 'Never' } }));
    await taint('spare', leaving, dedicated);
    await runOnce();
    expect(await taintsOf(world, 'spare')).toEqual([dedicated.key]);
  });

  it('goes with a node that was deleted meanwhile without an error', async () => {
    await createNodes();
    const get = world.client.get.bind(world.client);
    world.client.get = async (kind, key, options) => {
      if (kind.kind === 'Node')
        await world.client.delete(kinds.node, { name: 'spare' }).catch(() => undefined);
      return get(kind, key, options);
    };
    await expect(runOnce()).resolves.toBeDefined();
  });
});

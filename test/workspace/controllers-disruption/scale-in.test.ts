import {
  disruption,
  nodeClaimDisruption,
  nodeClaims,
  nodeTrigger,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
} from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { runningPods } from '@karpenter/testkit/disruptable-clusters';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '../controllers/objects.ts';
import { createNode, livingClaims, poolOf, types } from './nodes.ts';

let world: ControllerWorld;

beforeEach(async () => {
  world = await startControllerWorld({ types });
});

afterEach(() => world.stop());

interface Place {
  readonly name: string;
  readonly pods: number;
  /** Has a taint that asks kube-scheduler to prefer other nodes. */
  readonly isAvoided: boolean;
}

/** Which node a moved pod is bound to: the first in this order that has a CPU left. */
type Preference = (a: Place, b: Place) => number;

const fullestFirst: Preference = (a, b) => b.pods - a.pods;
const asKubeScheduler: Preference = (a, b) => Number(a.isAvoided) - Number(b.isAvoided) || a.pods - b.pods;

/** Stands for drain, termination and kube-scheduler: pods of a deleted node start where there is room. */
async function finishDeletions(preference: Preference): Promise<void> {
  const { items } = await world.client.list(nodeClaims);
  const leaving = items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const { metadata, status } of leaving) {
    const from = status?.nodeName ?? '';
    for (const name of await podsOn(from)) await move(name, preference);
    await world.client.delete(kinds.node, { name: from });
    const body = { metadata: { finalizers: null } };
    await world.client.patch(nodeClaims, { name: metadata.name }, { type: 'merge', body });
  }
}

async function podsOn(node: string): Promise<readonly string[]> {
  const { items } = await world.client.list(kinds.pod);
  return items.filter(({ spec }) => spec?.nodeName === node).map(({ metadata }) => metadata?.name ?? '');
}

/** The new pod has an `x` more in its name. */
async function move(name: string, preference: Preference): Promise<void> {
  const { items: nodes } = await world.client.list(kinds.node);
  const staying = nodes.filter(({ spec }) =>
    (spec?.taints ?? []).every(({ effect }) => effect === 'PreferNoSchedule'),
  );
  const counted = await Promise.all(
    staying.map(async ({ metadata, spec }) => ({
      name: metadata?.name ?? '',
      pods: (await podsOn(metadata?.name ?? '')).length,
      isAvoided: (spec?.taints ?? []).length > 0,
    })),
  );
  const [target] = counted.filter(({ pods }) => pods < 8).sort(preference);
  await world.client.delete(kinds.pod, { namespace: 'default', name }, { gracePeriodSeconds: 0 });
  await world.client.create(kinds.pod, {
    metadata: { name: `${name}x`, namespace: 'default' },
    spec: {
      nodeName: target?.name ?? '',
      containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
    },
  });
}

async function crowd(nodes: number, podsEach: number, pool = poolOf()): Promise<void> {
  await createPool(world, pool);
  for (let index = 0; index < nodes; index += 1)
    await createNode(world, `n${index}`, { pods: runningPods(podsEach, `n${index}`) });
}

interface ScaleIn {
  readonly seconds: number;
  /** The largest number of nodes that were being deleted at the same time. */
  readonly mostLeaving: number;
}

/** Runs the controllers until so many nodes are left. */
async function shrinkTo(nodes: number, preference = fullestFirst): Promise<ScaleIn> {
  const started = world.clock.now();
  let mostLeaving = 0;
  world.run(...disruption(world), nodeClaimDisruption(world));
  await world.until(async () => {
    const leaving = world.cluster.snapshot().nodeStates.filter(({ markedForDeletion }) => markedForDeletion);
    mostLeaving = Math.max(mostLeaving, leaving.length);
    await finishDeletions(preference);
    return (await livingClaims(world)).length <= nodes;
  }, 1_000);
  return { seconds: (world.clock.now() - started) / 1000, mostLeaving };
}

async function pass(seconds: number): Promise<void> {
  const end = world.clock.now() + seconds * 1000;
  await world.until(() => world.clock.now() >= end, 1_000);
}

/** Names of the nodes of each command that has started. */
const disruptedNodes = () =>
  world.log.of('disrupting node(s)').map((line) => {
    const nodes = line['disrupted-nodes'];
    return Array.isArray(nodes) ? nodes.map(({ Node }) => String(Node.name)) : [];
  });

describe('scale-in of a cluster that is too large', () => {
  it('takes one search and one delay where budgets allow it, and loses no pod', async () => {
    await crowd(12, 2);
    const { seconds, mostLeaving } = await shrinkTo(3);
    expect(seconds).toBeLessThanOrEqual(45);
    expect(mostLeaving).toBe(9);
    const going = disruptedNodes();
    expect(going).toHaveLength(9);
    expect(new Set(going.flat()).size).toBe(9);
    const { items } = await world.client.list(kinds.pod);
    expect(items).toHaveLength(24);
  });

  it('deletes one node after the other under a budget of one, without a delay for each', async () => {
    await crowd(8, 1, poolOf('default', { disruption: { budgets: [{ nodes: '10%' }] } }));
    const { seconds, mostLeaving } = await shrinkTo(1);
    expect(mostLeaving).toBe(1);
    // One by one, each of the seven would take fifteen seconds.
    expect(seconds).toBeLessThanOrEqual(75);
    const going = disruptedNodes();
    expect(going.flat()).toHaveLength(7);
    expect(new Set(going.flat()).size).toBe(7);
  });

  it('moves each pod once under a budget of one, although kube-scheduler prefers empty nodes', async () => {
    await crowd(8, 2, poolOf('default', { disruption: { budgets: [{ nodes: '10%' }] } }));
    await shrinkTo(3, asKubeScheduler);
    const { items } = await world.client.list(kinds.pod);
    const moves = items.map(({ metadata }) => (/x*$/.exec(metadata?.name ?? '')?.[0] ?? '').length);
    expect(moves.sort()).toEqual([...Array(6).fill(0), ...Array(10).fill(1)]);
  });

  it('deletes empty nodes while other commands wait, and the other way round', async () => {
    await crowd(2, 2);
    await createNode(world, 'idle');
    world.run(...disruption(world), nodeClaimDisruption(world));
    await world.until(() => world.log.of('disrupting node(s)').length > 0);
    const first = world.clock.now();
    await world.until(() => world.log.of('disrupting node(s)').length > 1);
    expect(world.clock.now() - first).toBeLessThan(15_000);
    expect(disruptedNodes().flat()).toContain('idle');
  });

  it.each([1, 4, 7])(
    'starts deleting a node within 20 seconds of becoming empty, %i s after a pass',
    async (seconds) => {
      await crowd(0, 0);
      await createNode(world, 'emptied', { pods: runningPods(1, 'emptied') });
      await createNode(world, 'protected', {
        annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
        pods: runningPods(8, 'protected'),
      });
      world.run(...disruption(world), nodeClaimDisruption(world));
      await pass(seconds);
      await world.client.delete(
        kinds.pod,
        { namespace: 'default', name: 'emptied-0' },
        { gracePeriodSeconds: 0 },
      );
      const since = world.clock.now();
      await world.until(() => disruptedNodes().flat().includes('emptied'), 500);
      expect(world.clock.now() - since).toBeLessThanOrEqual(20_000);
    },
  );

  it('does not delay a drifted node because of an empty one', async () => {
    await crowd(0, 0);
    await createNode(world, 'idle');
    await createNode(world, 'old', { conditions: ['Drifted'], pods: runningPods(8, 'old') });
    await world.client.patch(
      kinds.node,
      { name: 'idle' },
      { type: 'merge', body: { spec: { unschedulable: true } } },
    );
    // Without nodeclaim.disruption, which would find that it has not drifted.
    world.run(...disruption(world));
    await world.until(() => disruptedNodes().flat().includes('old'));
    expect(await livingClaims(world)).toContain('claim-idle');
    await world.until(() => disruptedNodes().flat().includes('idle'));
  });
});

describe('provisioning beside disruption', () => {
  function provision(): void {
    const { batchIdleDuration: idle, batchMaxDuration: max } = world.settings;
    const batcher = new ProvisioningBatcher(world.clock, { idle, max });
    world.run(podTrigger(world, batcher), nodeTrigger(world, batcher), provisioner(world, batcher));
  }
  it('creates no second node for pods whose replacement is launching', async () => {
    await createPool(world, poolOf());
    await createNode(world, 'old', { pods: runningPods(3, 'old') });
    provision();
    world.run(...disruption(world));
    await world.until(async () => (await livingClaims(world)).length === 2);
    await pass(60);
    expect(await livingClaims(world)).toHaveLength(2);
  });

  it('creates no node for pods of deleted nodes that fit elsewhere', async () => {
    await createPool(world, poolOf());
    for (let index = 0; index < 6; index += 1)
      await createNode(world, `n${index}`, { pods: runningPods(2, `n${index}`) });
    provision();
    world.run(...disruption(world));
    await world.until(async () => (await livingClaims(world)).length <= 2);
    await pass(30);
    expect((await livingClaims(world)).every((name) => name.startsWith('claim-n'))).toBe(true);
  });
});

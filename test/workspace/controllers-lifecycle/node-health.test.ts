import { lifecycleControllers, nodeClaims, RegistrationHealth } from '@karpenter/controllers';
import { minutes, nodeClaimMetrics } from '@karpenter/core/api';
import {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClaim } from './claims.ts';
import { Driver } from './driver.ts';
import { createClaim, createPodOn, instanceType, joinNode, setNodeStatus } from './objects.ts';

let world: ControllerWorld;
let driver: Driver;
let launched = 0;

async function start(options: WorldOptions): Promise<void> {
  launched = 0;
  world = await startControllerWorld({ types: [instanceType], ...options });
  world.cloud.repairPolicies = [
    { conditionType: 'Ready', conditionStatus: 'False', toleration: minutes(30) },
    { conditionType: 'DiskBroken', conditionStatus: 'True', toleration: minutes(10) },
  ];
  driver = new Driver(world, ...lifecycleControllers(world, new RegistrationHealth(world)));
}

beforeEach(() => start({ gates: { NodeRepair: true } }));

afterEach(() => world.stop());

async function createNodes(count: number, claim: Parameters<typeof createClaim>[2] = {}): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    launched += 1;
    await createClaim(world, `claim-${launched}`, claim);
    await driver.settle();
    await joinNode(world, `node-${launched}`, `memory:///instance-${launched}`);
  }
  await driver.settle();
}

const start2026 = '2026-01-01T00:00:00Z';
const breakDisk = (name: string, lastTransitionTime = start2026) =>
  setNodeStatus(world, name, {
    conditions: [
      { type: 'Ready', status: 'True', lastTransitionTime },
      { type: 'DiskBroken', status: 'True', lastTransitionTime },
    ],
  });
const isDeleting = async (name: string) =>
  (await readClaim(world, name)).metadata.deletionTimestamp !== undefined;

describe('node repair', () => {
  it('deletes the claim of a node that is unhealthy beyond its toleration, without time for its pods', async () => {
    await createNodes(5, { terminationGracePeriod: '1h' });
    await createPodOn(world, 'node-1', 'pod', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });
    await breakDisk('node-1');
    await driver.pass(minutes(10) - 1);
    expect(await isDeleting('claim-1')).toBe(false);
    await driver.pass(1);
    expect(await isDeleting('claim-1')).toBe(true);
    const { metadata } = await readClaim(world, 'claim-1');
    expect(metadata.annotations).toMatchObject({
      'karpenter.sh/nodeclaim-termination-timestamp': '2026-01-01T00:10:00Z',
    });
    expect(world.log.of('deleting unhealthy node')).toEqual([{ NodeClaim: { name: 'claim-1' } }]);
    expect(world.meters.values(nodeClaimMetrics.disrupted, { reason: 'unhealthy' })).toEqual([1]);
    expect(world.meters.values(nodeClaimMetrics.podsDisruptionInitiated, { reason: 'unhealthy' })).toEqual([
      1,
    ]);
    expect(world.meters.series(nodeClaimMetrics.unhealthyDisrupted)).toMatchObject([
      {
        labels: {
          condition: 'disk_broken',
          nodepool: 'default',
          capacity_type: 'spot',
          image_id: 'image-1',
        },
        values: [1],
      },
    ]);
  });

  it('uses the condition whose toleration ends first', async () => {
    await createNodes(5);
    await setNodeStatus(world, 'node-1', {
      conditions: [
        { type: 'Ready', status: 'False', lastTransitionTime: start2026 },
        { type: 'DiskBroken', status: 'True', lastTransitionTime: start2026 },
      ],
    });
    await driver.pass(minutes(10));
    expect(await isDeleting('claim-1')).toBe(true);
    expect(world.meters.series(nodeClaimMetrics.unhealthyDisrupted)).toMatchObject([
      { labels: { condition: 'disk_broken' } },
    ]);
  });

  it('leaves a node alone that recovers in time', async () => {
    await createNodes(5);
    await breakDisk('node-1');
    await driver.pass(minutes(9));
    await setNodeStatus(world, 'node-1', { conditions: [{ type: 'Ready', status: 'True' }] });
    await driver.pass(minutes(30));
    expect(await isDeleting('claim-1')).toBe(false);
  });

  it('keeps a termination timestamp in the past', async () => {
    const key = 'karpenter.sh/nodeclaim-termination-timestamp';
    await createNodes(5, { annotations: { [key]: '2026-01-01T00:01:00Z' } });
    await breakDisk('node-1');
    await driver.pass(minutes(10));
    expect((await readClaim(world, 'claim-1')).metadata.annotations?.[key]).toBe('2026-01-01T00:01:00Z');
    expect(await isDeleting('claim-1')).toBe(true);
  });

  it('replaces a termination timestamp in the future', async () => {
    const key = 'karpenter.sh/nodeclaim-termination-timestamp';
    await createNodes(5, { annotations: { [key]: '2026-01-01T05:00:00Z' } });
    await breakDisk('node-1');
    await driver.pass(minutes(10));
    expect((await readClaim(world, 'claim-1')).metadata.annotations?.[key]).toBe('2026-01-01T00:10:00Z');
    expect(await isDeleting('claim-1')).toBe(true);
  });

  it('holds back while more than 20 % of the NodePool, rounded up, is unhealthy, with three events', async () => {
    await createNodes(6);
    for (const name of ['node-1', 'node-2']) await breakDisk(name);
    await breakDisk('node-3', '2026-01-01T00:09:59Z');
    await driver.pass(minutes(10));
    expect(await isDeleting('claim-1')).toBe(false);
    const message = 'Node/node-1 NodeRepairBlocked: more than 20% nodes are unhealthy in the nodepool';
    expect(world.recorder.texts.filter((text) => text === message)).toHaveLength(3);
    const [first, second, third] = world.recorder.published.map(({ parts }) => parts?.about);
    expect(new Set([first, second, third]).size).toBe(3);
    await setNodeStatus(world, 'node-3', { conditions: [{ type: 'Ready', status: 'True' }] });
    await driver.pass(minutes(5));
    expect(await isDeleting('claim-1')).toBe(true);
    expect(await isDeleting('claim-2')).toBe(true);
  });

  it('counts all nodes of the cluster for a claim without a NodePool', async () => {
    await createNodes(1, { labels: { 'karpenter.sh/nodepool': '' } });
    for (const name of ['x', 'y']) await joinNode(world, name, `foreign://${name}`, { taints: [] });
    await breakDisk('x');
    const { client } = world;
    const body = { metadata: { labels: { 'karpenter.sh/nodepool': null } } };
    await client.patch(nodeClaims, { name: 'claim-1' }, { type: 'merge', body });
    await breakDisk('node-1');
    await driver.pass(minutes(10));
    expect(await isDeleting('claim-1')).toBe(false);
    expect(world.recorder.texts).toContain(
      'Node/node-1 NodeRepairBlocked: more then 20% nodes are unhealthy in the cluster',
    );
  });
});

it('repairs nothing without repair policies of the cloud provider', async () => {
  world.cloud.repairPolicies = [];
  await createNodes(5);
  await breakDisk('node-1');
  await driver.pass(minutes(60));
  expect(await isDeleting('claim-1')).toBe(false);
});

it('repairs nothing while the feature gate is off', async () => {
  await world.stop();
  await start({});
  await createNodes(5);
  await breakDisk('node-1');
  await driver.pass(minutes(60));
  expect(await isDeleting('claim-1')).toBe(false);
});

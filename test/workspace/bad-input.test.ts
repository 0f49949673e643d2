import { nodeClaims, nodePools } from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { running, runningPods } from '../walkthroughs/pods.ts';
import { type CloudWorld, embeddedWorld } from '../walkthroughs/world.ts';
import { inSmallRegion } from './crash/small-region.ts';

/** A whole cluster runs in this process, on a host that may be busy. */
const timeout = 120_000;
let world: CloudWorld;

beforeEach(async () => {
  world = await embeddedWorld({ seenAs: inSmallRegion });
});

afterEach(() => world.stop());

const nodeClass = '01-first-node/nodeclass.yaml';
const nodePool = '01-first-node/nodepool.yaml';
const inflate = '01-first-node/inflate.yaml';

/** One pod that needs a node. */
async function ask(): Promise<void> {
  await world.apply(inflate);
  await world.scale('inflate', 1);
}

async function bringUp(): Promise<void> {
  await world.apply(nodeClass);
  await world.apply(nodePool);
  await ask();
  await runs(1);
}

const runs = (pods: number) => world.eventually(() => running(world, 'inflate')).toBe(pods);
const messages = async (reason: string) => (await world.events(reason)).map(({ message = '' }) => message);

async function changePool(spec: object): Promise<void> {
  await world.client.patch(nodePools, { name: 'default' }, { type: 'merge', body: { spec } });
}

async function conditionOf(type: string): Promise<string | undefined> {
  const { status } = await world.nodePool('default');
  const found = status?.conditions?.find((condition) => condition.type === type);
  return found && `${found.status} ${found.reason}: ${found.message}`;
}

/** Ids of existing instances. */
function instances(): readonly string[] {
  const all = [...world.cloud.world.instances.values()];
  return all.filter(({ state }) => state === 'pending' || state === 'running').map(({ id }) => id);
}

/** One node that replaced an earlier one and runs its pod; nothing of the earlier one is left. */
async function isReplaced(claim: string): Promise<void> {
  await world
    .eventually(async () => {
      const claims = (await world.nodeClaims()).map(({ metadata }) => metadata.name);
      const nodes = (await world.nodes()).map(({ metadata }) => metadata?.name);
      const pods = await runningPods(world, 'inflate');
      return {
        isGone: !claims.includes(claim),
        claims: claims.length,
        nodes: nodes.length,
        instances: instances().length,
        pods: pods.filter(({ spec }) => nodes.includes(spec?.nodeName)).length,
      };
    })
    .toEqual({ isGone: true, claims: 1, nodes: 1, instances: 1, pods: 1 });
}

describe('a NodePool', { timeout }, () => {
  it('with a missing NodeClass reports it and creates no nodes until the NodeClass exists', async () => {
    await world.apply(nodePool);
    await ask();
    await world
      .eventually(() => conditionOf('NodeClassReady'))
      .toBe('False NodeClassNotFound: NodeClass not found on cluster');
    expect(await conditionOf('Ready')).toMatch(/^False /);
    await world.pass(60_000);
    expect(await world.nodeClaims()).toEqual([]);
    await world.apply(nodeClass);
    await runs(1);
    expect(await conditionOf('Ready')).toMatch(/^True /);
  });

  it('with unsatisfiable requirements reports it and creates no nodes until they are fixed', async () => {
    await world.apply(nodeClass);
    await world.apply(nodePool);
    const { requirements } = (await world.nodePool('default')).spec.template.spec;
    const none = { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['z99'] };
    await changePool({ template: { spec: { requirements: [...requirements, none] } } });
    await ask();
    await world
      .eventually(() => messages('NoCompatibleInstanceTypes'))
      .toContain('NodePool requirements filtered out all compatible available instance types');
    await world.pass(60_000);
    expect(await world.nodeClaims()).toEqual([]);
    await changePool({ template: { spec: { requirements } } });
    await runs(1);
  });

  it('over its limits keeps its nodes and creates no more until the limits allow it', async () => {
    await bringUp();
    const before = await world.nodeClaims();
    await changePool({ limits: { cpu: '1' } });
    await world.scale('inflate', 12);
    await world
      .eventually(async () =>
        (await messages('FailedScheduling')).some((text) => text.includes('exceed limits')),
      )
      .toBe(true);
    await world.pass(60_000);
    expect((await world.nodeClaims()).map(({ metadata }) => metadata.name)).toEqual(
      before.map(({ metadata }) => metadata.name),
    );
    expect(await running(world, 'inflate')).toBeGreaterThan(0);
    await changePool({ limits: { cpu: '1000' } });
    await runs(12);
  });

  it('with an invalid budget schedule keeps all nodes and reports it, and disrupts them once it is fixed', async () => {
    await bringUp();
    const budgets = (schedule: string) => ({
      disruption: { budgets: [{ nodes: '100%' }, { nodes: '50%', schedule, duration: '8h' }] },
    });
    await changePool(budgets('0 9 * * 7'));
    await world.scale('inflate', 0);
    await world.pass(180_000);
    expect(await world.nodeClaims()).toHaveLength(1);
    expect(await messages('DisruptionBlocked')).toContain(
      'No allowed disruptions for disruption reason Empty due to blocking budget',
    );
    expect(world.log.map(({ message }) => message)).toContain('detected disruption budget errors');
    await changePool(budgets('0 9 * * 6'));
    await world.eventually(async () => (await world.nodeClaims()).length).toBe(0);
    expect(instances()).toEqual([]);
  });

  it('that is deleted drains and deletes its nodes, and pods wait for another NodePool', async () => {
    await bringUp();
    await world.client.delete(nodePools, { name: 'default' });
    await world.eventually(async () => (await world.nodeClaims()).length).toBe(0);
    expect(await world.nodes()).toEqual([]);
    expect(instances()).toEqual([]);
    expect(await messages('Evicted')).toContain('Evicted pod: Forceful Termination');
    await world.pass(60_000);
    expect(await world.nodeClaims()).toEqual([]);
    await world.apply(nodePool);
    await runs(1);
  });
});

describe('manual deletion', { timeout }, () => {
  it('of a Node drains it and deletes its instance and NodeClaim', async () => {
    await bringUp();
    const [claim] = await world.nodeClaims();
    await world.client.delete(kinds.node, { name: claim?.status?.nodeName ?? '' });
    await isReplaced(claim?.metadata.name ?? '');
    expect(await messages('Evicted')).toContain('Evicted pod: Forceful Termination');
  });

  it('of a NodeClaim deletes its Node and instance', async () => {
    await bringUp();
    const [claim] = await world.nodeClaims();
    await world.client.delete(nodeClaims, { name: claim?.metadata.name ?? '' });
    await isReplaced(claim?.metadata.name ?? '');
  });

  it.each([
    ['a queue reports it', 'dev'],
    ['no queue reports it', ''],
  ])(
    'a terminated instance leaves neither Node nor NodeClaim, and its pods run elsewhere, if %s',
    async (_, queue) => {
      await world.stop();
      world = await embeddedWorld({ seenAs: inSmallRegion, flags: { 'interruption-queue': queue } });
      await bringUp();
      const [claim] = await world.nodeClaims();
      const [id = ''] = instances();
      const isCollected = () =>
        world.log.some(
          ({ message }) => message === 'garbage collecting nodeclaim with no cloudprovider representation',
        );
      expect(world.cloud.terminate(id)).toBe(true);
      await isReplaced(claim?.metadata.name ?? '');
      expect(instances()).not.toContain(id);
      expect(isCollected()).toBe(queue === '');
    },
  );
});

import { nodePools } from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dedicatedPool } from '../walkthroughs/dedicated.ts';
import { firstNode } from '../walkthroughs/first-node.ts';
import { graviton } from '../walkthroughs/graviton.ts';
import { spotInterruption } from '../walkthroughs/interruption.ts';
import { brokenPromises } from '../walkthroughs/promises.ts';
import type { LogLine } from '../walkthroughs/world.ts';
import { type RealWorld, realWorld } from './real-world.ts';

// The command itself on a real control plane: real API server, scheduler and controllers; only AWS is
// simulated.

let world: RealWorld;

beforeAll(async () => {
  world = await realWorld();
}, 180_000);

afterAll(() => world.stop(), 60_000);

it('is ready once its caches are synced', async () => {
  await world.eventually(async () => (await fetch(`${world.controller.probesUrl}/readyz`)).text()).toBe('ok');
  expect((await fetch(`${world.controller.probesUrl}/healthz`)).status).toBe(200);
});

it('walkthrough 1: nodes follow pods up, are consolidated, and are deleted with the last pod', async () => {
  await firstNode(world);
  expect([...new Set(world.log.map(({ message }) => message))]).toEqual(
    expect.arrayContaining([
      'found provisionable pod(s)',
      'computed new nodeclaim(s) to fit pod(s)',
      'created nodeclaim',
      'launched nodeclaim',
      'registered nodeclaim',
      'initialized nodeclaim',
      'disrupting node(s)',
      'tainted node',
      'deleted node',
      'deleted nodeclaim',
    ]),
  );
  expect(world.log.filter(isFailure)).toEqual([]);
}, 600_000);

it.each([
  [4, graviton],
  [6, spotInterruption],
  [9, dedicatedPool],
])(
  'walkthrough %i: the commands of its page do what the page says',
  async (number, walk) => {
    await removeAll();
    await walk(world);
    expect(await brokenPromises(world, number)).toEqual([]);
  },
  600_000,
);

/** The walkthroughs share the control plane, and each begins with an empty cluster. */
async function removeAll(): Promise<void> {
  const { client } = world;
  for (const { metadata } of (await client.list(kinds.deployment)).items) {
    const { name = '', namespace = '' } = metadata ?? {};
    await client.delete(kinds.deployment, { name, namespace });
  }
  for (const { metadata } of (await client.list(nodePools)).items) {
    await client.delete(nodePools, { name: metadata.name });
  }
  await world.eventually(async () => (await world.nodeClaims()).length).toBe(0);
}

/** A NodePool is not ready before its NodeClass is; Karpenter logs that as an error too. */
function isFailure({ level, message }: LogLine): boolean {
  return level === 'ERROR' && message !== 'ignoring nodepool, not ready';
}

it('shuts down cleanly on SIGTERM and releases its lease', async () => {
  expect(await world.controller.stop()).toBe(0);
  const { items } = await world.client.list(kinds.lease, { namespace: 'default' });
  expect(items.map(({ spec }) => spec?.holderIdentity)).toEqual(['']);
});

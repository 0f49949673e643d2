import { nodePools } from '@karpenter/controllers';
import { kinds } from '@karpenter/kube/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dedicatedPool } from '../walkthroughs/dedicated.ts';
import { firstNode } from '../walkthroughs/first-node.ts';
import { graviton } from '../walkthroughs/graviton.ts';
import { spotInterruption } from '../walkthroughs/interruption.ts';
import { brokenPromises } from '../walkthroughs/promises.ts';
import type { LogLine } from '../walkthroughs/world.ts';
import { type RealWorld, realWorld, seenBy } from './real-world.ts';

// The command itself on a real control plane: real API server, scheduler and controllers; only AWS is
// simulated.

let world: RealWorld;
let second: RealWorld;
const started: RealWorld[] = [];

beforeAll(async () => {
  world = await realWorld();
  started.push(world);
  second = await realWorld();
  started.push(second);
}, 180_000);

afterAll(() => Promise.all(started.map((each) => each.stop())), 60_000);

it('is ready once its caches are synced', async () => {
  await world.eventually(async () => (await fetch(`${world.controller.probesUrl}/readyz`)).text()).toBe('ok');
  expect((await fetch(`${world.controller.probesUrl}/healthz`)).status).toBe(200);
});

// Time is real and walkthroughs mostly wait, so these two run at the same time.

it.concurrent('walkthrough 1: nodes follow pods up, are consolidated, and are deleted with the last pod', {
  timeout: 600_000,
}, async ({ expect: local }) => {
  await firstNode(seenBy(local, world));
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
});

it.concurrent('walkthroughs 4, 6 and 9: the commands of each page do what the page says', {
  timeout: 1_200_000,
}, async ({ expect: local }) => {
  const shared = seenBy(local, second);
  const walks = [
    [4, graviton],
    [6, spotInterruption],
    [9, dedicatedPool],
  ] as const;
  for (const [number, walk] of walks) {
    await removeAll(shared);
    await walk(shared);
    expect({ number, broken: await brokenPromises(shared, number) }).toEqual({ number, broken: [] });
  }
});

/** The walkthroughs share the control plane, and each begins with an empty cluster. */
async function removeAll({ client, nodeClaims, eventually }: RealWorld): Promise<void> {
  for (const { metadata } of (await client.list(kinds.deployment)).items) {
    const { name = '', namespace = '' } = metadata ?? {};
    await client.delete(kinds.deployment, { name, namespace });
  }
  for (const { metadata } of (await client.list(nodePools)).items) {
    await client.delete(nodePools, { name: metadata.name });
  }
  await eventually(async () => (await nodeClaims()).length).toBe(0);
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

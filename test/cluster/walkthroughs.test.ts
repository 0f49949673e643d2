import { kinds } from '@karpenter/kube/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dedicatedPool } from '../walkthroughs/dedicated.ts';
import { firstNode } from '../walkthroughs/first-node.ts';
import { gpuPool } from '../walkthroughs/gpu.ts';
import { graviton } from '../walkthroughs/graviton.ts';
import { spotInterruption } from '../walkthroughs/interruption.ts';
import { stuckDrain } from '../walkthroughs/stuck-drain.ts';
import type { LogLine } from '../walkthroughs/world.ts';
import { walkPage } from './page-walk.ts';
import { type RealWorld, realWorld } from './real-world.ts';

// The command itself on a real control plane: real API server, scheduler and controllers; only AWS is
// simulated.

let world: RealWorld;

beforeAll(async () => {
  world = await realWorld();
}, 300_000);

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
}, 1_200_000);

it.each([
  [3, gpuPool],
  [4, graviton],
  [6, spotInterruption],
  [9, dedicatedPool],
  [10, stuckDrain],
])(
  'walkthrough %i: the commands of its page do what the page says',
  async (number, walk) => {
    expect(await walkPage(world, number, walk)).toEqual([]);
  },
  1_200_000,
);

/** A NodePool is not ready before its NodeClass is; Karpenter logs that as an error too. */
function isFailure({ level, message }: LogLine): boolean {
  return level === 'ERROR' && message !== 'ignoring nodepool, not ready';
}

it('shuts down cleanly on SIGTERM and releases its lease', async () => {
  expect(await world.controller.stop()).toBe(0);
  const { items } = await world.client.list(kinds.lease, { namespace: 'default' });
  expect(items.map(({ spec }) => spec?.holderIdentity)).toEqual(['']);
});

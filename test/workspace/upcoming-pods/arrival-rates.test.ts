import { afterEach, describe, expect, it } from 'vitest';
import { Trickle, type TrickleOptions } from './trickle.ts';

let trickle: Trickle | undefined;

afterEach(async () => {
  await trickle?.stop();
  trickle = undefined;
});

const sizes = { small: '500m', middle: '1', large: '1500m', odd: '700m', tiny: '250m' };

/** Pods of five ReplicaSets with so many each, of which so many come at a time. */
interface Arrival extends TrickleOptions {
  readonly podsOfEach: number;
  readonly atOnce: number;
  readonly everyMs: number;
}

async function billOf({ podsOfEach, atOnce, everyMs, ...options }: Arrival) {
  await trickle?.stop();
  trickle = await Trickle.start(options);
  for (const name of Object.keys(sizes)) await trickle.replicaSet(name, podsOfEach);
  for (let arrived = 0; arrived < podsOfEach; arrived += atOnce) {
    for (const [name, cpu] of Object.entries(sizes)) await trickle.arrive(`ReplicaSet/${name}`, atOnce, cpu);
    await trickle.pass(everyMs);
  }
  await trickle.settled();
  return { nodes: (await trickle.claims()).length, price: await trickle.price() };
}

describe('pods of five ReplicaSets', () => {
  it.each([
    { pods: 1_000, pace: '50 each second', atOnce: 5, everyMs: 500, launches: true },
    { pods: 400, pace: 'in bursts that are planned one by one', atOnce: 5, everyMs: 1_500, launches: true },
    { pods: 400, pace: 'while nothing is launched', atOnce: 5, everyMs: 1_500, launches: false },
  ])('get about the nodes of one batch when $pods come $pace', async ({ pods, ...arrival }) => {
    const podsOfEach = pods / 5;
    const together = await billOf({ podsOfEach, atOnce: podsOfEach, everyMs: 2_000 });
    const { nodes, price } = await billOf({ podsOfEach, ...arrival });
    expect(nodes).toBeLessThanOrEqual(together.nodes + 2);
    expect(price).toBeLessThanOrEqual(together.price * 1.05);
  });

  it('get a node for each burst with the option off', async () => {
    const settings = { planUpcomingPods: false };
    const { nodes } = await billOf({ podsOfEach: 80, atOnce: 5, everyMs: 1_500, settings });
    expect(nodes).toBeGreaterThanOrEqual(16);
  });
});

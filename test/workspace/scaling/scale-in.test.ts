import { onDemandPrice } from '@karpenter/ec2-catalogue';
import { kinds } from '@karpenter/kube/client';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { seeds } from '@karpenter/testkit/rounds';
import { afterEach, describe, expect, it } from 'vitest';
import type { CloudWorld } from '../../walkthroughs/world.ts';
import { areRunning, poolWith, until, worldWithPool } from './scaled-world.ts';
import { createDeployments, mixed } from './workloads.ts';

// A cluster that was scaled in returns to about what a new cluster for the same pods would cost; with one
// replacement for each command it stays at twice that. Measured: 0.96 to 1.12 of a new cluster, and 1.1 to 1.4
// moves for each pod, as kube-scheduler does not fill the new nodes as planned.

let world: CloudWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const pods = 60;
const quietMs = 60_000;

const consolidated = (nodes: string) =>
  poolWith({
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
    consolidateAfter: '0s',
    budgets: [{ nodes }],
  });

/** Scales every deployment to so much of its size; returns the number of pods that are left. */
async function scaleTo(share: number, { client, scale }: CloudWorld): Promise<number> {
  const { items } = await client.list(kinds.deployment, { namespace: 'default' });
  const sizes = items.map(({ metadata, spec }) => ({
    name: metadata?.name ?? '',
    replicas: Math.ceil((spec?.replicas ?? 0) * share),
  }));
  for (const { name, replicas } of sizes) await scale(name, replicas);
  return sizes.reduce((sum, { replicas }) => sum + replicas, 0);
}

/** In dollars per hour. */
async function priceOf({ nodes }: CloudWorld): Promise<number> {
  const types = (await nodes()).map(({ metadata }) => metadata?.labels?.['node.kubernetes.io/instance-type']);
  return types.reduce((sum, type) => sum + (onDemandPrice(type ?? '') ?? 0), 0);
}

/** Waits until nodes and pods have not changed for a minute. */
async function settle(on: CloudWorld): Promise<void> {
  let [last, since] = ['', on.now()];
  await until(on, 'a minute without changes', async () => {
    const [nodes, { items }] = [await on.nodes(), await on.client.list(kinds.pod, { namespace: 'default' })];
    const now = JSON.stringify([
      nodes.map(({ metadata }) => metadata?.name),
      items.map(({ metadata, spec }) => [metadata?.name, spec?.nodeName]),
    ]);
    if (now !== last) [last, since] = [now, on.now()];
    return on.now() - since >= quietMs;
  });
}

async function begin(seed: number, { share = 1, budget = '100%' } = {}): Promise<CloudWorld> {
  const begun = await worldWithPool({ seed }, consolidated(budget));
  world = begun;
  await createDeployments(begun, mixed(new SeededRandom(seed)), { pods, share });
  return begun;
}

/** The price of a cluster that has never had more pods. */
async function freshPrice(seed: number): Promise<number> {
  const fresh = await begin(seed, { share: 0.3 });
  await settle(fresh);
  const price = await priceOf(fresh);
  await fresh.stop();
  world = undefined;
  return price;
}

describe.each(['100%', '10%'])(
  'a cluster whose deployments are scaled to 30 %% with a budget of %s',
  (budget) => {
    it.each(seeds({ quick: 1, full: 2 }))(
      'costs at most 30 % more than a new one, after at most two moves for each pod (seed %i)',
      async (seed) => {
        const lowest = await freshPrice(seed);
        const begun = await begin(seed, { budget });
        await until(begun, 'all pods running', () => areRunning(begun, pods));
        const left = await scaleTo(0.3, begun);
        await settle(begun);
        expect(await areRunning(begun, left)).toBe(true);
        const moves = begun.log
          .filter(({ message }) => message === 'disrupting node(s)')
          .reduce((sum, line) => sum + Number(line['pod-count']), 0);
        expect((await priceOf(begun)) / lowest).toBeLessThanOrEqual(1.3);
        expect(moves).toBeLessThanOrEqual(2 * left);
      },
      900_000,
    );
  },
);

import { kinds } from '@karpenter/kube/client';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { seeds } from '@karpenter/testkit/rounds';
import { afterEach, describe, expect, it } from 'vitest';
import { passQuietly } from '../../walkthroughs/quiet-pass.ts';
import type { CloudWorld } from '../../walkthroughs/world.ts';
import { PodHistory } from './pod-history.ts';
import { priceOf, type Replacement, replacementOf } from './replacements.ts';
import { areRunning, poolWith, until, worldWithPool } from './scaled-world.ts';
import { createDeployments, mixed } from './workloads.ts';

// Half an hour of deployments that are scaled at random, every one to four minutes, without any budget to hold
// consolidation back. ADR 0058 says what a replacement of a young node must save.

let world: CloudWorld | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

const pods = 40;
const minute = 60_000;
const duration = 30 * minute;
const stepMs = 2_000;
const young = 5 * minute;

const consolidated = poolWith({
  consolidationPolicy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: '0s',
  budgets: [{ nodes: '100%' }],
});

interface CheckedReplacement extends Replacement {
  /** Milliseconds since the youngest of the replaced nodes was created. */
  readonly age: number;
  /** Dollars per hour of all nodes when it began. */
  readonly spend: number;
}

/** What a replacement of a young node must save, in dollars per hour. */
function minimum({ price, pods: moved, spend }: CheckedReplacement): number {
  return Math.max(0.05 * price, 0.001 * moved, Math.min(0.05 * spend, 0.5 * price));
}

class Observer {
  readonly history = new PodHistory();
  readonly replacements: CheckedReplacement[] = [];
  readonly #world: CloudWorld;
  readonly #createdAt = new Map<string, number>();
  #spend = 0;
  #read = 0;

  constructor(on: CloudWorld) {
    this.#world = on;
  }

  async look(): Promise<void> {
    const { client, log, now, events } = this.#world;
    for (const line of log.slice(this.#read)) this.#check(replacementOf(line));
    this.#read = log.length;
    const claims = await this.#world.nodeClaims();
    for (const { metadata } of claims)
      this.#createdAt.set(metadata.name, Date.parse(metadata.creationTimestamp ?? ''));
    const types = (await this.#world.nodes()).map(
      ({ metadata }) => metadata?.labels?.['node.kubernetes.io/instance-type'] ?? '',
    );
    this.#spend = types.reduce((sum, type) => sum + priceOf(type), 0);
    const { items } = await client.list(kinds.pod, { namespace: 'default' });
    this.history.observe(items, await events('Evicted'), now());
  }

  #check(found: Replacement | undefined): void {
    if (found === undefined) return;
    const ages = found.replaced.map((name) => this.#world.now() - (this.#createdAt.get(name) ?? 0));
    this.replacements.push({ ...found, age: Math.min(...ages), spend: this.#spend });
  }
}

/** Scales every deployment to a random share of its size. */
async function scaleAtRandom(
  { client, scale }: CloudWorld,
  chance: SeededRandom,
  sizes: Map<string, number>,
) {
  const { items } = await client.list(kinds.deployment, { namespace: 'default' });
  for (const { metadata, spec } of items) {
    const name = metadata?.name ?? '';
    const size = sizes.get(name) ?? spec?.replicas ?? 0;
    sizes.set(name, size);
    await scale(name, chance.integer(Math.ceil(size / 5), size));
  }
}

async function observedHalfHour(seed: number): Promise<Observer> {
  const begun = await worldWithPool({ seed }, consolidated);
  world = begun;
  const chance = new SeededRandom(seed);
  await createDeployments(begun, mixed(chance), { pods });
  await until(begun, 'all pods running', () => areRunning(begun, pods));
  const observer = new Observer(begun);
  const sizes = new Map<string, number>();
  const end = begun.now() + duration;
  for (let next = begun.now(); begun.now() < end; ) {
    await observer.look();
    if (begun.now() >= next) {
      await scaleAtRandom(begun, chance, sizes);
      next = begun.now() + chance.integer(1, 4) * minute;
    }
    await passQuietly(begun, stepMs);
  }
  return observer;
}

describe('half an hour of random scaling', () => {
  it.each(seeds({ quick: 1, full: 2 }))(
    'replaces no young node for less than the minimum and moves pods at most twice an hour (seed %i)',
    async (seed) => {
      const { history, replacements } = await observedHalfHour(seed);
      const churn = replacements.filter(
        (each) => each.age < young && each.savings < minimum(each) - Number.EPSILON,
      );
      expect(churn).toEqual([]);
      expect(history.movesPerPlace).toBeLessThanOrEqual(2);
      expect(history.mostWithin(60 * minute)).toBeLessThanOrEqual(2);
    },
    1_800_000,
  );
});

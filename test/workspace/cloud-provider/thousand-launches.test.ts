import { orphansOf } from '@karpenter/aws';
import { type NodeClaim, seconds } from '@karpenter/core/api';
import { type CloudInstance, isLaunchFailed } from '@karpenter/core/ports';
import { runController, runSingleton } from '@karpenter/kube/runtime';
import { seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';
import { claimOf, inWholeRegion, ofType, only, SimulatedAccount } from './simulated-account.ts';

const count = 1000;
/** NodeClaims of one size share a fleet request, those of different sizes do not. */
const sizes = [
  'm5.large',
  'm5.xlarge',
  'm5.2xlarge',
  'c5.large',
  'c5.xlarge',
  'r5.large',
  'm6i.large',
  'c6i.large',
];
const zones = ['us-west-2a', 'us-west-2b', 'us-west-2c'];

function claimAt(index: number): NodeClaim {
  const size = sizes[index % sizes.length] ?? '';
  const zone = zones[Math.floor(index / sizes.length) % zones.length] ?? '';
  const capacityType = index % 5 === 0 ? 'spot' : 'on-demand';
  const claim = claimOf(`claim-${index}`, 'general', [
    only('karpenter.sh/capacity-type', capacityType),
    only('topology.kubernetes.io/zone', zone),
    ofType(size),
  ]);
  return { ...claim, metadata: { ...claim.metadata, creationTimestamp: '2026-01-01T00:00:00Z' } };
}

/** Low rate limits, replies that are late or lost, instances that become visible late. */
function poorAccount(seed: number): SimulatedAccount {
  return new SimulatedAccount({
    network: inWholeRegion,
    seed,
    faults: {
      latency: 100,
      throttling: {
        'ec2:fleet': { burst: 2, perSecond: 2 },
        'ec2:terminate': { burst: 5, perSecond: 1 },
        'ec2:describe': { burst: 20, perSecond: 5 },
        'ec2:mutate': { burst: 5, perSecond: 2 },
      },
      consistency: { describe: 5000, profile: 10_000 },
      lostReplies: [{ call: 'ec2:CreateFleet', chance: 0.3, times: Number.POSITIVE_INFINITY }],
      capacity: [{ types: '*', zones: '*', capacityTypes: '*', depth: 10_000 }],
      quotas: { onDemandVcpus: 1e6, spotVcpus: 1e6, fleets: 1e6 },
    },
  });
}

/**
 * Launches all NodeClaims, retries each until it has its instance, and terminates instances without a
 * NodeClaim.
 */
class Launches {
  readonly instances = new Map<string, CloudInstance>();
  readonly failures: unknown[] = [];
  readonly #claims = new Map<string, NodeClaim>();
  readonly #account: SimulatedAccount;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(account: SimulatedAccount) {
    this.#account = account;
    const { clock } = account;
    const { signal } = this.#stop;
    const launching = runController(
      { name: 'test.launch', concurrency: count, reconcile: (key) => this.#launch(key) },
      {
        clock,
        signal,
        sources: [
          {
            start: (enqueue) => {
              for (let index = 0; index < count; index += 1) enqueue(String(index));
              return () => undefined;
            },
          },
        ],
        onReconciled: ({ error }) => {
          if (error !== undefined) this.failures.push(error);
        },
      },
    );
    const collecting = runSingleton(
      { name: 'test.garbage', reconcile: () => this.#collect() },
      { clock, signal },
    );
    this.#running = Promise.all([launching, collecting]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#account.answered(this.#running);
  }

  async #launch(key: string): Promise<undefined> {
    const claim = this.#claims.get(key) ?? this.#account.recorded(claimAt(Number(key)));
    this.#claims.set(key, claim);
    const instance = await this.#account.provider.cloud.create(claim);
    if (this.instances.has(key)) throw new Error(`${key} was launched twice`);
    this.instances.set(key, instance);
  }

  async #collect() {
    const { provider, clock } = this.#account;
    const instances = await provider.instances.list();
    const claimed = new Set([...this.instances.values()].map(({ providerId }) => providerId));
    const orphans = orphansOf(instances, claimed, clock.now());
    await Promise.all(orphans.map(({ id }) => provider.instances.delete(id)));
    return { requeueAfter: seconds(10) };
  }
}

describe('a thousand launches at once, in an account that allows two fleet requests per second', () => {
  it.each(seeds({ quick: 1, full: 2 }))(
    'end with exactly one instance per NodeClaim (seed %i)',
    async (seed) => {
      const account = poorAccount(seed);
      const { clock, cloud } = account;
      await account.start();
      await account.addPool('general');
      await clock.advance(seconds(15));
      const launches = new Launches(account);
      const { instances, failures } = launches;
      for (let turn = 0; turn < 2000 && instances.size < count; turn += 1) await clock.advance(500);
      expect(instances.size).toBe(count);
      // Long enough for garbage collection to find and terminate wasted launches.
      await clock.advance(seconds(180));
      await launches.stop();

      const claimed = [...instances.values()].map(({ providerId }) => providerId.split('/').at(-1));
      expect(new Set(claimed).size).toBe(count);
      const started = [...cloud.world.instances.values()];
      const living = started.filter(({ state }) => state === 'pending' || state === 'running');
      expect(living.map(({ id }) => id).sort()).toEqual([...claimed].sort());
      // Calls were rejected and launches failed for lost replies, which the next attempt received.
      expect(cloud.calls.get('ec2:CreateFleet')).toBeGreaterThan(100);
      expect(failures.length).toBeGreaterThan(0);
      expect(failures.filter((failure) => !isLaunchFailed(failure))).toEqual([]);
      expect(started.length).toBe(count);
    },
  );
});

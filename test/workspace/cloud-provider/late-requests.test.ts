import type { AwsServices } from '@karpenter/aws/ports';
import type { NodeClaim } from '@karpenter/core/api';
import type { CloudInstance } from '@karpenter/core/ports';
import { durationMs } from '@karpenter/core/values';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';
import { inSmallRegion } from '../crash/small-region.ts';
import { claimOf, launchedClaim, ofType, onDemand, SimulatedAccount } from './simulated-account.ts';

const quiet = durationMs(5_000);

/** The way of the first leader to EC2: holds fleet requests back, and carries nothing new once it is cut. */
class Network {
  readonly #held: (() => void)[] = [];
  holds = false;
  isCut = false;

  readonly between = (services: AwsServices): AwsServices => ({
    ...services,
    ec2: {
      ...services.ec2,
      createFleet: async (input, options) => {
        if (this.isCut) throw new Error('this leader may not write any more');
        if (this.holds) await new Promise<void>((resolve) => this.#held.push(resolve));
        return services.ec2.createFleet(input, options);
      },
    },
  });

  get held(): number {
    return this.#held.length;
  }

  /** Lets what was held back arrive. */
  release(): void {
    for (const arrive of this.#held.splice(0)) arrive();
  }
}

/** Two leaders on one account, and the NodeClaims as the API server has them. */
class Takeover {
  readonly network = new Network();
  readonly first: SimulatedAccount;
  readonly claims = new Map<string, NodeClaim>();
  readonly instances = new Map<string, string[]>();

  constructor(describeLag = 0) {
    const faults = { consistency: { describe: describeLag, profile: 0 } };
    this.first = new SimulatedAccount({
      faults,
      network: (services) => this.network.between(inSmallRegion(services)),
    });
  }

  async start(): Promise<void> {
    await this.first.start();
    await this.first.addPool('general');
  }

  add(name: string, type = 'm5.large'): void {
    const claim = claimOf(name, 'general', [onDemand, ofType(type)]);
    const creationTimestamp = new Date(this.first.clock.now()).toISOString();
    const metadata = { ...claim.metadata, uid: `uid-${name}`, creationTimestamp };
    this.claims.set(name, this.first.recorded({ ...claim, metadata }));
  }

  /** Asks for instances without waiting for them. */
  launch(leader: SimulatedAccount, names: readonly string[]): readonly Promise<CloudInstance>[] {
    return names.map((name) => {
      const launched = leader.provider.cloud.create(this.#claim(name));
      launched.catch(() => undefined);
      return launched;
    });
  }

  /** The first leader sends one request for these claims, which does not arrive yet. */
  async sendLate(names: readonly string[]): Promise<void> {
    this.network.holds = true;
    this.launch(this.first, names);
    await this.first.clock.advance(1_000);
    expect(this.network.held).toBe(1);
  }

  /** The first leader stops; the next one sees its objects, perhaps with other tags in the NodeClass. */
  async takeOver(tags: Readonly<Record<string, string>> = {}): Promise<SimulatedAccount> {
    this.network.isCut = true;
    await this.first.clock.advance(5_000);
    const second = new SimulatedAccount({ after: this.first, network: inSmallRegion });
    await second.start();
    second.sharePools(this.first, tags);
    for (const claim of this.claims.values()) second.nodeClaims.set(claim);
    second.provider.takeOver(quiet);
    return second;
  }

  /** Stores on a NodeClaim which instance it has. */
  store(name: string, instance: CloudInstance): void {
    const id = instance.providerId.split('/').at(-1) ?? '';
    this.instances.set(name, [...(this.instances.get(name) ?? []), id]);
    this.claims.set(name, launchedClaim(this.#claim(name), instance));
  }

  get open(): readonly string[] {
    return [...this.claims].flatMap(([name, { status }]) => (status?.providerID === undefined ? [name] : []));
  }

  /** Instances that exist, and those that NodeClaims name. */
  get counts() {
    const existing = [...this.first.cloud.world.instances.values()].map(({ id }) => id);
    const named = [...this.instances.values()].flat();
    return { existing: existing.toSorted(), named: named.toSorted() };
  }

  #claim(name: string): NodeClaim {
    const claim = this.claims.get(name);
    if (claim === undefined) throw new Error(`there is no claim ${name}`);
    return claim;
  }
}

/** Launches open claims with the next leader until all have an instance. */
async function launchRest(run: Takeover, leader: SimulatedAccount, arrive: () => void): Promise<void> {
  const names = run.open;
  const launches = run.launch(leader, names);
  arrive();
  for (const [index, launch] of launches.entries()) {
    run.store(names[index] ?? '', await leader.answered(launch));
  }
}

describe('a fleet request of an earlier leader that EC2 handles after the next leader has looked', () => {
  it.each([
    ['fewer claims', ['a', 'b', 'c'], ['a']],
    ['more claims', ['a'], ['a', 'b', 'c']],
    ['other claims', ['a', 'b'], ['b', 'c']],
  ])('starts no second instance, although the next leader asks for %s', async (_, sent, asked) => {
    const run = new Takeover();
    await run.start();
    for (const name of ['a', 'b', 'c']) run.add(name);
    await run.sendLate(sent);
    const second = await run.takeOver();
    const launches = run.launch(second, asked);
    await second.clock.advance(200);
    run.network.release();
    for (const [index, launch] of launches.entries()) {
      run.store(asked[index] ?? '', await second.answered(launch));
    }
    await launchRest(run, second, () => undefined);
    const { existing, named } = run.counts;
    expect(existing).toEqual(named);
    expect(named).toHaveLength(3);
  });

  it('starts no second instance when it arrives right before that of the next leader, and is not listed yet', async () => {
    const run = new Takeover(4_000);
    await run.start();
    for (const name of ['a', 'b', 'c']) run.add(name);
    await run.sendLate(['a', 'b', 'c']);
    const second = await run.takeOver({ team: 'b' });
    await launchRest(run, second, () => run.network.release());
    const { existing, named } = run.counts;
    expect(existing).toEqual(named);
    expect(named).toHaveLength(3);
  });
});

const types = ['m5.large', 'c5.large'];

/** Random claims, batches, moments of the stop and of arrivals. */
class RandomTakeover {
  readonly #chance: SeededRandom;
  readonly #run: Takeover;

  constructor(seed: number) {
    this.#chance = new SeededRandom(seed);
    this.#run = new Takeover(this.#chance.integer(0, 4_000));
  }

  async outcome() {
    const run = this.#run;
    const chance = this.#chance;
    await run.start();
    const names = Array.from({ length: chance.integer(1, 8) }, (_, index) => `claim-${index}`);
    for (const name of names) run.add(name, types[chance.integer(0, types.length - 1)]);
    await this.#store(await this.#launchSome(names));
    const second = await run.takeOver(chance.happens(0.5) ? { team: 'b' } : {});
    if (chance.happens(0.3)) run.network.release();
    const parts = chance.integer(1, 3);
    const open = run.open;
    for (let part = 0; part < parts; part += 1) {
      await this.#launchPart(
        second,
        open.filter((_, index) => index % parts === part),
      );
    }
    run.network.release();
    await run.first.clock.advance(60_000);
    return { names, ...run.counts };
  }

  /** The first leader launches most claims; some of its requests do not arrive. */
  async #launchSome(names: readonly string[]): Promise<ReadonlyMap<string, Promise<CloudInstance>>> {
    const { network, first } = this.#run;
    const launches = new Map<string, Promise<CloudInstance>>();
    for (const name of names.filter(() => this.#chance.happens(0.8))) {
      network.holds = this.#chance.happens(0.4);
      for (const launch of this.#run.launch(first, [name])) launches.set(name, launch);
      if (this.#chance.happens(0.5)) await first.clock.advance(this.#chance.integer(0, 60));
    }
    await first.clock.advance(this.#chance.integer(0, 1_000));
    return launches;
  }

  /** The first leader stops before it has stored all that it has learnt. */
  async #store(launches: ReadonlyMap<string, Promise<CloudInstance>>): Promise<void> {
    for (const [name, launch] of launches) {
      const unanswered = this.#run.first.clock.advance(0).then(() => undefined);
      const instance = await Promise.race([launch.catch(() => undefined), unanswered]);
      if (this.#chance.happens(0.5) && instance !== undefined) this.#run.store(name, instance);
    }
  }

  async #launchPart(leader: SimulatedAccount, asked: readonly string[]): Promise<void> {
    const run = this.#run;
    const answers = run.launch(leader, asked);
    await leader.clock.advance(this.#chance.integer(0, 200));
    if (this.#chance.happens(0.5)) run.network.release();
    for (const [index, answer] of answers.entries()) {
      run.store(asked[index] ?? '', await leader.answered(answer));
    }
    for (const claim of run.claims.values()) leader.nodeClaims.set(claim);
  }
}

describe('two leaders', () => {
  it.each(seeds({ quick: 20, full: 150 }))(
    'launch one instance for each claim, whatever was under way (seed %i)',
    async (seed) => {
      const { names, existing, named } = await new RandomTakeover(seed).outcome();
      expect(existing).toEqual(named);
      expect(named).toHaveLength(names.length);
      expect(new Set(named).size).toBe(names.length);
    },
  );
});

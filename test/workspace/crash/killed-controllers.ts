import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  type EmbeddedCluster,
  runControllerProcess,
  settingsWith,
  startEmbeddedCluster,
} from '@karpenter/cli/embedded';
import { JsonLog } from '@karpenter/controllers';
import { durationMs } from '@karpenter/core/values';
import { connect, type KubeClient } from '@karpenter/kube/client';
import { faultsFrom } from '@karpenter/sim/cloud';
import { VirtualClock } from '@karpenter/testkit/clock';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { clusterWorld, controllerFlags } from '../../walkthroughs/world.ts';
import { Audit } from './audit.ts';
import type { Findings } from './findings.ts';
import { FlakyCalls } from './flaky-calls.ts';
import { type Death, fatalWrites, Life } from './life.ts';
import { budget, disturb, inconsistencies, type RestlessCluster, setUp } from './restless-cluster.ts';
import { inSmallRegion } from './small-region.ts';

/** The result of one run. */
export interface Outcome extends Findings {
  /** The writes at which the process was killed. */
  readonly deaths: readonly string[];
  /** What was still wrong after the time for recovery. */
  readonly unrecovered: readonly string[];
}

const stepMs = 1_000;
/** Steps between two disturbances of the cluster. */
const restSteps = { least: 5, most: 40 };
/** Steps without any controller; the lease of a dead leader lasts 15 s. */
const awaySteps = { least: 1, most: 20 };
const recoverySteps = 1_800;
const mostTurns = 100;

const cloudFaults = faultsFrom({
  latency: '50ms',
  throttling: 'off',
  lostReplies: [
    { call: 'ec2:CreateFleet', chance: 0.1 },
    { call: 'ec2:TerminateInstances', chance: 0.1 },
  ],
  errors: [{ call: 'ec2:*', code: 'InternalError', status: 500, chance: 0.02 }],
  consistency: { describe: '1s' },
  boots: { delay: '5s', jitter: '5s' },
});

/** Kills the controllers repeatedly while the cluster keeps changing, then lets them recover. */
export async function killControllers(seed: number, kills: number): Promise<Outcome> {
  const run = await Run.start(seed);
  try {
    while (run.deaths.length < kills) await run.step();
    const unrecovered = await run.recover();
    return { ...run.findings(), deaths: run.deaths, unrecovered };
  } finally {
    await run.stop();
  }
}

class Run {
  readonly deaths: string[] = [];
  readonly #clock: VirtualClock;
  readonly #chance: SeededRandom;
  readonly #embedded: EmbeddedCluster;
  readonly #cluster: RestlessCluster;
  readonly #audit: Audit;
  readonly #flaky: FlakyCalls;
  readonly #directory: string;
  #life: Life | undefined;
  #end: () => Promise<void> = async () => undefined;
  #awayFor = 0;
  #restFor = 0;

  static async start(seed: number): Promise<Run> {
    const clock = new VirtualClock();
    const directory = mkdtempSync(join(tmpdir(), 'karpenter-killed-'));
    const embedded = await startEmbeddedCluster({
      kubeconfig: join(directory, 'kubeconfig'),
      seed,
      bootDelay: durationMs(5_000),
      faults: cloudFaults,
      clock,
    });
    const run = new Run(seed, clock, embedded, directory);
    await setUp(run.#cluster);
    return run;
  }

  private constructor(seed: number, clock: VirtualClock, embedded: EmbeddedCluster, directory: string) {
    this.#clock = clock;
    this.#chance = new SeededRandom(seed);
    this.#embedded = embedded;
    this.#directory = directory;
    this.#flaky = new FlakyCalls(new SeededRandom(seed + 1_000));
    const client = connect(embedded.config, { qps: 100_000, burst: 100_000 });
    const { cloud } = embedded.account;
    this.#audit = new Audit(client, cloud);
    this.#cluster = {
      ...clusterWorld(client),
      cloud,
      chance: this.#chance,
      wanted: new Map(),
      onLoss: (id) => this.#audit.excuse(id),
    };
  }

  /** Advances by one second. */
  async step(): Promise<void> {
    if (this.#life?.isOver !== false) await this.#beAway();
    this.#restFor -= 1;
    if (this.#restFor <= 0) {
      this.#restFor = this.#chance.integer(restSteps.least, restSteps.most);
      await disturb(this.#cluster);
    }
    await this.#pass();
  }

  /** Runs without faults until nothing is wrong, or too long, and returns what still is. */
  async recover(): Promise<readonly string[]> {
    this.#flaky.heal();
    this.#embedded.account.cloud.faults.set({ errors: [], lostReplies: [] });
    this.#live(undefined);
    let found: readonly string[] = ['nothing was looked at'];
    for (let steps = 0; steps < recoverySteps && found.length > 0; steps += 1) {
      await this.#pass();
      if (steps % 10 === 9) found = await inconsistencies(this.#cluster);
    }
    return found;
  }

  findings(): Findings {
    return this.#audit.findings(budget);
  }

  async stop(): Promise<void> {
    await this.#end();
    await this.#audit.stop();
    await this.#cluster.client.close();
    await this.#embedded.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #beAway(): Promise<void> {
    if (this.#awayFor === 0) this.#awayFor = this.#chance.integer(awaySteps.least, awaySteps.most);
    this.#awayFor -= 1;
    if (this.#awayFor > 0) return;
    this.#live(this.#nextDeath());
  }

  /**
   * Alternates between a kill at any write and a kill at each named write in turn, so that rare writes are
   * hit too.
   */
  #nextDeath(): Death {
    const isCarriedOut = this.#chance.happens(0.5);
    const { length } = this.deaths;
    if (length % 2 === 0) return { at: undefined, count: this.#chance.integer(1, 14), isCarriedOut };
    const at = fatalWrites[((length - 1) / 2) % fatalWrites.length];
    return { at, count: this.#chance.integer(1, 2), isCarriedOut };
  }

  #live(death: Death | undefined): void {
    const ended = new AbortController();
    const leftBehind: (() => Promise<void>)[] = [];
    const life = new Life(death, (write) => {
      this.deaths.push(write);
      // Not within the call at which the process died, because this closes what that call still uses.
      void setImmediate().then(() => Promise.all(leftBehind.map((close) => close())));
    });
    const { config, account } = this.#embedded;
    const running = runControllerProcess({
      config,
      settings: settingsWith(controllerFlags),
      account: { services: life.services(inSmallRegion(account.services)), region: account.region },
      clock: life.clock(this.#clock),
      log: new JsonLog({ level: 'error', now: () => this.#clock.now(), write: () => undefined }),
      signal: ended.signal,
      connect: (at, options) => {
        const client: KubeClient = connect(at, options);
        leftBehind.push(() => client.close());
        return life.client(client, this.#flaky);
      },
      onListening: (endpoints) => leftBehind.push(() => endpoints.stop()),
    }).catch(() => life.end());
    this.#life = life;
    this.#end = async () => {
      ended.abort();
      await this.#pass();
      if (!life.isOver) await running;
    };
  }

  /**
   * Requests need turns of the event loop: waits for them before the clock advances, but not for calls that
   * wait for the clock themselves.
   */
  async #pass(): Promise<void> {
    for (let turn = 0; turn < mostTurns && this.#isBusy; turn += 1) await setImmediate();
    await this.#clock.advance(stepMs);
  }

  get #isBusy(): boolean {
    return this.#life !== undefined && !this.#life.isOver && this.#life.underWay > 0;
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/cli/embedded';
import { durationMs } from '@karpenter/core/values';
import { connect } from '@karpenter/kube/client';
import { faultsFrom } from '@karpenter/sim/cloud';
import { VirtualClock } from '@karpenter/testkit/clock';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { clusterWorld } from '../../walkthroughs/world.ts';
import { Audit } from './audit.ts';
import { type ControllerProcess, startProcess } from './controller-process.ts';
import type { Findings } from './findings.ts';
import { type FaultChances, FlakyCalls } from './flaky-calls.ts';
import { type Death, fatalWrites } from './life.ts';
import { budget, disturb, inconsistencies, type RestlessCluster, setUp } from './restless-cluster.ts';

/** The result of one run. */
export interface Outcome extends Findings {
  /** The writes at which the process was killed. */
  readonly deaths: readonly string[];
  /** What was still wrong after the time for recovery. */
  readonly unrecovered: readonly string[];
}

/** The result of a run without kills. */
export interface FaultOutcome extends Findings {
  readonly unrecovered: readonly string[];
  readonly errors: readonly string[];
  readonly faults: ReadonlyMap<string, number>;
}

interface RunParts {
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly embedded: EmbeddedCluster;
  readonly directory: string;
  readonly chances: FaultChances | undefined;
}

/** About a quarter of all requests fail. */
const harshChances: FaultChances = {
  refused: 0.1,
  unsent: 0.05,
  lostAnswer: 0.05,
  conflict: 0.05,
  staleList: 0.3,
  cutWatch: 0.03,
  expiredWatch: 0.03,
};

const stepMs = 1_000;
/** Steps between two disturbances of the cluster. */
const restSteps = { least: 5, most: 40 };
/** Steps without any controller; the lease of a dead leader lasts 15 s. */
const awaySteps = { least: 1, most: 20 };
const recoverySteps = 1_800;

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

/** Refuses and loses requests of the controllers, without kills, until there were so many faults. */
export async function disturbControllers(seed: number, enough: number): Promise<FaultOutcome> {
  const run = await Run.start(seed, harshChances);
  try {
    while (run.faults.made < enough) await run.step();
    const unrecovered = await run.recover();
    const { errors, faults } = run;
    return { ...run.findings(), unrecovered, errors, faults: faults.madeByKind };
  } finally {
    await run.stop();
  }
}

class Run {
  readonly deaths: string[] = [];
  /** What the controllers logged as errors. */
  readonly errors: string[] = [];
  readonly faults: FlakyCalls;
  readonly #clock: VirtualClock;
  readonly #chance: SeededRandom;
  readonly #embedded: EmbeddedCluster;
  readonly #cluster: RestlessCluster;
  readonly #audit: Audit;
  readonly #isKilled: boolean;
  readonly #directory: string;
  #process: ControllerProcess | undefined;
  #awayFor = 0;
  #restFor = 0;

  static async start(seed: number, chances?: FaultChances): Promise<Run> {
    const clock = new VirtualClock();
    const directory = mkdtempSync(join(tmpdir(), 'karpenter-killed-'));
    const embedded = await startEmbeddedCluster({
      kubeconfig: join(directory, 'kubeconfig'),
      seed,
      bootDelay: durationMs(5_000),
      faults: cloudFaults,
      clock,
    });
    const run = new Run({ seed, clock, embedded, directory, chances });
    await setUp(run.#cluster);
    return run;
  }

  private constructor({ seed, clock, embedded, directory, chances }: RunParts) {
    this.#clock = clock;
    this.#chance = new SeededRandom(seed);
    this.#embedded = embedded;
    this.#directory = directory;
    this.#isKilled = chances === undefined;
    this.faults = new FlakyCalls(new SeededRandom(seed + 1_000), chances);
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
    if (this.#process?.life.isOver !== false) await this.#beAway();
    this.#restFor -= 1;
    if (this.#restFor <= 0) {
      this.#restFor = this.#chance.integer(restSteps.least, restSteps.most);
      await disturb(this.#cluster);
    }
    await this.#pass();
  }

  /** Runs without faults until nothing is wrong, or too long, and returns what still is. */
  async recover(): Promise<readonly string[]> {
    this.faults.heal();
    this.#embedded.account.cloud.faults.set({ errors: [], lostReplies: [] });
    // Without leader election, a second process beside one that lives would launch instances of its own.
    if (this.#process?.life.isOver !== false) this.#live(undefined);
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
    await this.#process?.end(() => this.#pass());
    await this.#audit.stop();
    await this.#cluster.client.close();
    await this.#embedded.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #beAway(): Promise<void> {
    if (this.#awayFor === 0) this.#awayFor = this.#chance.integer(awaySteps.least, awaySteps.most);
    this.#awayFor -= 1;
    if (this.#awayFor > 0) return;
    this.#live(this.#isKilled ? this.#nextDeath() : undefined);
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
    this.#process = startProcess({
      embedded: this.#embedded,
      clock: this.#clock,
      faults: this.faults,
      death,
      onDeath: (write) => this.deaths.push(write),
      onError: (message) => this.errors.push(message),
    });
  }

  async #pass(): Promise<void> {
    await this.#process?.answered();
    await this.#clock.advance(stepMs);
  }
}

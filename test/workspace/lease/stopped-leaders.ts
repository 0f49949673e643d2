import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/cli/embedded';
import { durationMs } from '@karpenter/core/values';
import { connect, type KubeClient, kinds } from '@karpenter/kube/client';
import type { ElectionTimes } from '@karpenter/kube/runtime';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { clusterWorld } from '../../walkthroughs/world.ts';
import { Audit } from '../crash/audit.ts';
import { inSmallRegion } from '../crash/small-region.ts';
import { Records } from './records.ts';
import { type Replica, startReplica } from './replicas.ts';
import { divideStaleWrites } from './stale-writes.ts';

export interface StopOptions {
  readonly seed: number;
  readonly rounds: number;
  readonly leaseMs: number;
  readonly missesStops?: boolean;
}

export interface StopOutcome {
  /** Writes of processes that did not hold the lease, and that the fence had to prevent. */
  readonly stale: readonly string[];
  /** Writes that were already past the fence when their process was stopped. */
  readonly unpreventable: readonly string[];
  /** NodeClaims with two instances, instances with two NodeClaims or none. */
  readonly violations: readonly string[];
  /**
   * For each stop: the writes of the leader since the change, and the error lines that it logged after it
   * resumed.
   */
  readonly stops: readonly { readonly writes: number; readonly errorLines: number }[];
}

/** Stops the leader repeatedly, and resumes it when another process leads. */
export async function stopLeaders(options: StopOptions): Promise<StopOutcome> {
  const run = await StopRun.start(options);
  try {
    for (let round = 0; round < options.rounds; round += 1) await run.round();
    return await run.outcome();
  } finally {
    await run.stop();
  }
}

/** In the proportions that Kubernetes' own components use. */
export function electionTimes(leaseMs: number): ElectionTimes {
  return {
    leaseDuration: durationMs(leaseMs),
    renewDeadline: durationMs((leaseMs * 2) / 3),
    retryPeriod: durationMs((leaseMs * 2) / 15),
  };
}

/** A failed renewal of the lease is not an error of the abandoned work. */
function isErrorOfWork(line: string): boolean {
  return line.includes('"level":"ERROR"') && !line.includes('error retrieving resource lock');
}

/** Shorter than a real lease, which lasts 15 s; STOP_LEASE_MS=15000 measures with a real one. */
export const leaseMs = Number(process.env['STOP_LEASE_MS'] ?? 3_000);

/** Progress of a long run, printed with STOP_PROGRESS=1. */
function progress(text: string): void {
  if (process.env['STOP_PROGRESS'] !== undefined) process.stderr.write(`${text}\n`);
}

/** Short, so that a stop can hit the middle of a burst. */
const lookMs = 2;
/** Longer than it takes until consolidation removes the first empty node. */
const maxWaitMs = 30_000;
/** Fewer than a change causes. */
const maxWrites = 40;
const maxReplicas = 12;
/** All effects of a change happen within this time, except boots. */
const maxDelayMs = 4_000;

export class StopRun {
  readonly records = new Records();
  readonly client: KubeClient;
  readonly #options: StopOptions;
  readonly #chance: SeededRandom;
  readonly #cluster: EmbeddedCluster;
  readonly #directory: string;
  readonly #audit: Audit;
  readonly #stops: { writes: number; errorLines: number }[] = [];
  #replicas: Replica[] = [];
  #names = 0;
  #wanted = 0;

  static async start(options: StopOptions): Promise<StopRun> {
    const directory = mkdtempSync(join(tmpdir(), 'karpenter-stopped-'));
    const cluster = await startEmbeddedCluster({
      kubeconfig: join(directory, 'kubeconfig'),
      seed: options.seed,
      bootDelay: durationMs(500),
      faults: { throttling: 'off', latency: 20 },
    });
    const run = new StopRun(options, cluster, directory);
    const world = clusterWorld(run.client);
    await world.apply('01-first-node/nodeclass.yaml');
    await world.apply('../../test/workspace/lease/lonely-pods.yaml');
    await run.staff();
    await run.#settle(1);
    return run;
  }

  private constructor(options: StopOptions, cluster: EmbeddedCluster, directory: string) {
    this.#options = options;
    this.#cluster = cluster;
    this.#directory = directory;
    this.#chance = new SeededRandom(options.seed);
    this.client = connect(cluster.config, { qps: 100_000, burst: 100_000 });
    this.#audit = new Audit(this.client, cluster.account.cloud);
  }

  /** Changes the cluster, stops the leader at a random moment, and resumes it when another process leads. */
  async round(): Promise<void> {
    const leader = await this.leader();
    await this.#change();
    const before = this.#writesOf(leader);
    await this.#chosenMoment(() => this.#writesOf(leader) - before);
    leader.signal('SIGSTOP');
    const writes = this.#writesOf(leader) - before;
    const logged = leader.log.length;
    await this.#until(async () => {
      await this.#replaceEnded();
      return this.records.leader !== leader.name || leader.hasEnded;
    });
    await pause(this.#chance.integer(0, this.#options.leaseMs));
    leader.signal('SIGCONT');
    await leader.ended;
    const errorLines = leader.log.slice(logged).filter(isErrorOfWork).length;
    this.#stops.push({ writes, errorLines });
    await this.staff();
    await this.#until(() => this.#isSettled());
    progress(
      `${this.#stops.length}: stopped after ${writes} writes; stale: ${this.records
        .stale()
        .map(({ why }) => why)
        .join(', ')}`,
    );
  }

  /** A random time, or more often a random number of writes, because writes take a small part of the time. */
  async #chosenMoment(writes: () => number): Promise<void> {
    if (this.#chance.happens(0.3)) return pause(this.#chance.integer(0, maxDelayMs));
    const enough = this.#chance.integer(1, maxWrites);
    const end = performance.now() + maxWaitMs;
    await this.#until(() => writes() >= enough || performance.now() > end);
  }

  /** Kills the leader at a random moment while pods are pending, and waits until another creates a NodeClaim. */
  async takeOver(): Promise<void> {
    await this.#until(() => this.#isSettled());
    const leader = await this.leader();
    await this.#until(() => this.#replicas.every(({ name }) => this.records.hasStood(name)));
    await pause(this.#chance.integer(0, maxDelayMs));
    leader.signal('SIGKILL');
    const killed = performance.now();
    await this.scale(this.#wanted + 2);
    const claim = () =>
      this.records.writes.find(({ what, at }) => at > killed && what.endsWith('nodeclaims'))?.at;
    await this.#until(() => claim() !== undefined);
    progress(`taken over after ${Math.round((claim() ?? killed) - killed)} ms`);
    await this.staff();
  }

  async outcome(): Promise<StopOutcome> {
    const { preventable, unpreventable } = divideStaleWrites(this.records.stale());
    return { stale: preventable, unpreventable, violations: await this.#violations(), stops: this.#stops };
  }

  /** An instance may have been launched a moment ago, and its NodeClaim does not name it yet. */
  async #violations(): Promise<readonly string[]> {
    const end = performance.now() + maxWaitMs;
    const found = () => this.#audit.findings(Number.POSITIVE_INFINITY).violations;
    await this.#until(() => found().length === 0 || performance.now() > end);
    return found();
  }

  async stop(): Promise<void> {
    for (const replica of this.#replicas) replica.signal('SIGKILL');
    await Promise.all(this.#replicas.map(({ ended }) => ended));
    await this.#audit.stop();
    await this.client.close();
    await this.#cluster.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Starts replicas until there are two, and waits until one leads. */
  async staff(): Promise<void> {
    await this.#replaceEnded();
    await this.leader();
  }

  async leader(): Promise<Replica> {
    let leader: Replica | undefined;
    await this.#until(async () => {
      await this.#replaceEnded();
      leader = this.#replicas.find(({ name }) => name === this.records.leader);
      return leader !== undefined;
    });
    if (leader === undefined) throw new Error('nobody leads');
    return leader;
  }

  /** On a busy host any replica may have lost its lease and exited. */
  async #replaceEnded(): Promise<void> {
    this.#replicas = this.#replicas.filter(({ hasEnded }) => !hasEnded);
    while (this.#replicas.length < 2) this.#replicas.push(await this.#startReplica());
  }

  async scale(replicas: number): Promise<void> {
    this.#wanted = replicas;
    const key = { namespace: 'default', name: 'lonely' };
    await this.client.patch(kinds.deployment, key, { type: 'merge', body: { spec: { replicas } } });
  }

  async #settle(replicas: number): Promise<void> {
    await this.scale(replicas);
    await this.#until(() => this.#isSettled());
  }

  async #startReplica(): Promise<Replica> {
    const { config, account, url } = this.#cluster;
    const { authorization = '' } = (await config.credentials?.current()) ?? {};
    this.#names += 1;
    return startReplica(`replica-${this.#names}`, {
      upstream: { url, ca: String(config.ca) },
      token: authorization.replace('Bearer ', ''),
      services: inSmallRegion(account.services),
      region: account.region,
      election: electionTimes(this.#options.leaseMs),
      records: this.records,
      missesStops: this.#options.missesStops ?? false,
    });
  }

  /** Each pod has a node to itself, so nodes come and go with pods. */
  #change(): Promise<void> {
    const half = maxReplicas / 2;
    const replicas =
      this.#wanted < half ? this.#chance.integer(half, maxReplicas) : this.#chance.integer(0, 2);
    return this.scale(replicas);
  }

  /** Nodes may still be terminating, so that the next stop hits that too. */
  async #isSettled(): Promise<boolean> {
    await this.leader();
    const { items } = await this.client.list(kinds.pod, {
      namespace: 'default',
      labelSelector: 'app=lonely',
    });
    const running = items.filter(({ status }) => status?.phase === 'Running');
    return running.length === this.#wanted && items.length === this.#wanted;
  }

  #writesOf({ name }: Replica): number {
    return this.records.writes.filter(({ writer }) => writer === name).length;
  }

  async #until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) await pause(lookMs);
  }
}

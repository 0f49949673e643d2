import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedCluster, startEmbeddedCluster } from '@karpenter/cli/embedded';
import { nodeClaims } from '@karpenter/controllers';
import { durationMs } from '@karpenter/core/values';
import { connect, kinds } from '@karpenter/kube/client';
import { VirtualClock } from '@karpenter/testkit/clock';
import { SeededRandom } from '@karpenter/testkit/random-clusters';
import { clusterWorld } from '../walkthroughs/world.ts';
import { type ControllerProcess, startProcess } from '../workspace/crash/controller-process.ts';
import { FlakyCalls } from '../workspace/crash/flaky-calls.ts';
import { followWrites } from '../workspace/crash/follow-writes.ts';
import { budget, disturb, type RestlessCluster, setUp } from '../workspace/crash/restless-cluster.ts';
import { calmAccount, type Exposed, endHazards, type Hazard, hazards } from './hazards.ts';
import { violationsAt } from './invariants.ts';
import { ObservedWrites } from './observed-writes.ts';
import { SteppedClock } from './stepped-clock.ts';

const minute = 60_000;
const stepMs = 1_000;
const nightStepMs = 5_000;
/** Hours of the day in which the cluster is used, and things go wrong. */
const workday = { begins: 9, ends: 17 };
const checkEvery = 60_000;

/** Minutes from one event to the next. Between two hazards the cluster is left alone long enough to recover. */
const rest = {
  disturbance: [1, 6],
  hazard: [25, 60],
  hazardLength: [2, 12],
  restart: [15, 90],
  /** From the end of a workday to the beginning of the next. */
  night: [960, 960],
} as const;
/** Seconds without any controller; the lease of a dead leader lasts 15 s. */
const away = [1, 60] as const;

/** With leader election, as in production: a new process waits for the lease of the old one. */
const flags = { 'disable-leader-election': 'false' };

type ScheduledEvent = 'disturbance' | 'hazard' | 'restart' | 'check';

export interface Tally {
  restarts: number;
  disturbances: number;
  /** How often each hazard began. */
  readonly hazards: Map<string, number>;
}

/** A cluster in which something keeps going wrong, on a virtual clock. */
export class Storm {
  readonly tally: Tally = { restarts: 0, disturbances: 0, hazards: new Map() };
  readonly #clock: VirtualClock;
  readonly #chance: SeededRandom;
  readonly #embedded: EmbeddedCluster;
  readonly #cluster: RestlessCluster;
  readonly #exposed: Exposed;
  readonly #writes: ObservedWrites;
  readonly #launched = new Map<string, number>();
  readonly #directory: string;
  readonly #ended = new AbortController();
  readonly #following: Promise<void>;
  /** When each is due. */
  readonly #schedule: Record<ScheduledEvent, number>;
  #process: ControllerProcess | undefined;
  #hazardEnds: number | undefined;
  #calmSince: number;
  #startsAt = 0;

  static async start(seed: number): Promise<Storm> {
    const clock = new VirtualClock(Date.UTC(2026, 0, 1, workday.begins));
    const directory = mkdtempSync(join(tmpdir(), 'karpenter-storm-'));
    const embedded = await startEmbeddedCluster({
      kubeconfig: join(directory, 'kubeconfig'),
      seed,
      bootDelay: durationMs(5_000),
      faults: calmAccount,
      clock,
    });
    const storm = new Storm(seed, clock, embedded, directory);
    await setUp(storm.#cluster);
    storm.#startProcess();
    return storm;
  }

  private constructor(seed: number, clock: VirtualClock, embedded: EmbeddedCluster, directory: string) {
    this.#clock = clock;
    this.#chance = new SeededRandom(seed);
    this.#embedded = embedded;
    this.#directory = directory;
    const client = connect(embedded.config, { qps: 100_000, burst: 100_000 });
    const { cloud } = embedded.account;
    const lost = new Set<string>();
    cloud.onInstance(({ id, stateReason = '' }) => {
      if (!this.#launched.has(id)) this.#launched.set(id, clock.now());
      if (stateReason.startsWith('Server.')) lost.add(id);
    });
    this.#writes = new ObservedWrites(budget, lost);
    this.#following = followWrites(client, this.#ended.signal, (write) => this.#writes.add(write));
    const api = new FlakyCalls(new SeededRandom(seed + 1_000));
    api.heal();
    this.#exposed = { cloud, api, hostClock: new SteppedClock(clock), chance: this.#chance };
    this.#cluster = {
      ...clusterWorld(client),
      cloud,
      chance: this.#chance,
      wanted: new Map(),
      onLoss: (id) => lost.add(id),
    };
    this.#calmSince = clock.now();
    this.#schedule = {
      disturbance: this.#inMinutes(rest.disturbance),
      hazard: this.#inMinutes(rest.hazard),
      restart: this.#inMinutes(rest.restart),
      check: clock.now() + checkEvery,
    };
  }

  get now(): number {
    return this.#clock.now();
  }

  get apiFaults(): number {
    return this.#exposed.api.made;
  }

  /** Lets so much time pass, and returns the violations found; stops at the first. */
  async pass(milliseconds: number): Promise<readonly string[]> {
    const end = this.now + milliseconds;
    while (this.now < end) {
      const violations = await this.#step();
      if (violations.length > 0) return violations;
    }
    return this.#superfluous();
  }

  async sizes(): Promise<{ readonly nodes: number; readonly pods: number }> {
    const { client } = this.#cluster;
    const [nodes, pods] = await Promise.all([client.list(kinds.node), client.list(kinds.pod)]);
    return { nodes: nodes.items.length, pods: pods.items.length };
  }

  async stop(): Promise<void> {
    await this.#process?.end(() => this.#clock.advance(stepMs));
    this.#ended.abort();
    await this.#following;
    await this.#cluster.client.close();
    await this.#embedded.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  async #step(): Promise<readonly string[]> {
    this.#changeHazards();
    if (this.#isDue('disturbance')) await (this.#isNight ? this.#sleep() : this.#disturb());
    this.#tendProcess();
    await this.#process?.answered();
    // Little happens at night, so nobody looks every second.
    await this.#clock.advance(this.#isNight ? nightStepMs : stepMs);
    return this.#isDue('check') ? this.#check() : [];
  }

  get #isNight(): boolean {
    const hour = new Date(this.now).getUTCHours();
    return hour < workday.begins || hour >= workday.ends;
  }

  #changeHazards(): void {
    if (this.#hazardEnds !== undefined && this.now >= this.#hazardEnds) {
      endHazards(this.#exposed);
      this.#hazardEnds = undefined;
      this.#schedule.hazard = this.#inMinutes(rest.hazard);
    }
    if (this.#hazardEnds === undefined && !this.#isNight && this.#isDue('hazard'))
      this.#begin(this.#chance.pick(hazards));
    if (this.#hazardEnds !== undefined) this.#calmSince = this.now;
  }

  #begin(hazard: Hazard): void {
    hazard.begin(this.#exposed);
    this.tally.hazards.set(hazard.name, (this.tally.hazards.get(hazard.name) ?? 0) + 1);
    this.#hazardEnds = this.#inMinutes(rest.hazardLength);
  }

  async #disturb(): Promise<void> {
    this.tally.disturbances += 1;
    this.#schedule.disturbance = this.#inMinutes(rest.disturbance);
    await disturb(this.#cluster);
  }

  /** Scales everything down, once each night. */
  async #sleep(): Promise<void> {
    this.#schedule.disturbance = this.#inMinutes(rest.night);
    for (const name of this.#cluster.wanted.keys()) {
      this.#cluster.wanted.set(name, 1);
      await this.#cluster.scale(name, 1);
    }
  }

  /** Kills the process now and then, also one that ended by itself, and starts the next one after a while. */
  #tendProcess(): void {
    if (this.#process?.life.isOver === false && !this.#isDue('restart')) return;
    this.#calmSince = this.now;
    if (this.#process !== undefined) {
      this.#process.kill();
      this.#process = undefined;
      this.tally.restarts += 1;
      this.#startsAt = this.now + this.#chance.integer(...away) * 1_000;
    } else if (this.now >= this.#startsAt) this.#startProcess();
  }

  #startProcess(): void {
    this.#schedule.restart = this.#inMinutes(rest.restart);
    const { hostClock: clock, api: faults } = this.#exposed;
    this.#process = startProcess({
      embedded: this.#embedded,
      clock,
      faults,
      death: undefined,
      onDeath: () => undefined,
      flags,
    });
  }

  async #check(): Promise<readonly string[]> {
    this.#schedule.check = this.now + checkEvery;
    const { client, cloud } = this.#cluster;
    const [claims, pods] = await Promise.all([client.list(nodeClaims), client.list(kinds.pod)]);
    const instances = new Map<string, number>();
    for (const { id, state } of cloud.world.instances.values()) {
      const launched = this.#launched.get(id);
      if (launched !== undefined && (state === 'pending' || state === 'running')) instances.set(id, launched);
    }
    const moment = {
      now: this.now,
      calmSince: this.#calmSince,
      claims: claims.items,
      pods: pods.items,
      instances,
    };
    return [...this.#writes.advance(), ...violationsAt(moment)];
  }

  /** Instances of the last minutes may not have their NodeClaim's status yet. */
  #superfluous(): readonly string[] {
    const settled = [...this.#launched].filter(([, at]) => at < this.now - 30 * minute).map(([id]) => id);
    return this.#writes.superfluous(new Set(settled));
  }

  #isDue(event: ScheduledEvent): boolean {
    return this.#schedule[event] <= this.now;
  }

  #inMinutes([least, most]: readonly [number, number]): number {
    return this.now + this.#chance.integer(least * 60, most * 60) * 1_000;
  }
}

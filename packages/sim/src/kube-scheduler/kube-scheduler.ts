import { setImmediate } from 'node:timers/promises';
import { durationMs } from '@karpenter/core/values';
import type { CacheSet } from '@karpenter/kube/cache';
import { type KubeClient, keyOf, kinds } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import { chanceFrom } from '../objects/chance.ts';
import { EventRecorder } from '../objects/event-recorder.ts';
import { Limiter } from '../objects/limiter.ts';
import type { SimulationLog } from '../objects/simulation-log.ts';
import { PodWriter } from './binding.ts';
import { ClusterFeed } from './cluster-feed.ts';
import { NodeChooser } from './decide.ts';
import { type Diagnosis, diagnosisText } from './fit-error.ts';
import type { PodInfo } from './pods/pod-info.ts';
import { preempt } from './preemption.ts';
import { SchedulingQueue } from './scheduling-queue.ts';
import { ClusterState } from './state/cluster-state.ts';

export interface KubeSchedulerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly caches: CacheSet;
  readonly signal: AbortSignal;
  readonly log: SimulationLog;
  readonly seed: number;
  /** Pods that name another scheduler are left alone; defaults to `default-scheduler`. */
  readonly schedulerName?: string;
}

const mostWrites = 50;
/** Decisions stop while so many wait to be written. */
const mostWaiting = 500;
/** Decisions in a row before others have their turn. */
const sliceMs = 5;
const noNodes = 'no nodes available to schedule pods';
/** What the plugin for resource claims says of every pod that has none. */
const noClaims = 'no new claims to deallocate';
/** And of pods that were turned down before it had its turn. */
const noState = 'not found';

/** Given as the reason, since Node would make an error with a stack of its own each time. */
const work = new Error('there is something to schedule');

interface Failure {
  readonly revision: number;
  readonly message: string;
}

/** Gives pods their nodes as the default scheduler of Kubernetes does. */
export class KubeScheduler {
  readonly #options: KubeSchedulerOptions;
  readonly #state = new ClusterState();
  readonly #queue = new SchedulingQueue();
  readonly #chooser: NodeChooser;
  readonly #writer: PodWriter;
  readonly #writes = new Limiter(mostWrites);
  /** Pods of a class fail for the same reason while nothing changes. */
  readonly #failures = new Map<string, Failure>();
  #wake = new AbortController();

  constructor(options: KubeSchedulerOptions) {
    this.#options = options;
    const { client, clock, caches, signal, log } = options;
    const component = options.schedulerName ?? 'default-scheduler';
    const events = new EventRecorder({ client, clock, component, log, signal });
    this.#chooser = new NodeChooser(this.#state, chanceFrom(options.seed));
    this.#writer = new PodWriter({ client, clock, caches, events, signal });
  }

  /** Until the signal is raised. */
  async run(): Promise<void> {
    const { caches, signal, schedulerName = 'default-scheduler' } = this.#options;
    const feed = new ClusterFeed({
      caches,
      state: this.#state,
      queue: this.#queue,
      schedulerName,
      onWork: () => this.#wake.abort(work),
      onSettled: (key) => this.#chooser.withdraw(key),
    });
    caches.of(kinds.podDisruptionBudget);
    feed.start();
    try {
      await caches.waitForSync(signal);
      while (!signal.aborted) {
        await this.#scheduleSlice();
        await this.#rest();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      feed.stop();
    }
  }

  /** Decides for a few milliseconds. */
  async #scheduleSlice(): Promise<void> {
    const { clock } = this.#options;
    const end = performance.now() + sliceMs;
    while (this.#writes.load < mostWaiting && performance.now() < end) {
      const pod = this.#queue.pop(clock.now());
      if (pod === undefined) break;
      this.#tryOnce(pod);
    }
    await setImmediate();
  }

  /** Until there is a pod to try. */
  async #rest(): Promise<void> {
    const { clock, signal } = this.#options;
    const at = this.#queue.nextAt();
    const isBusy = this.#writes.load >= mostWaiting;
    if (!isBusy && at !== undefined && at <= clock.now()) return;
    const wait = isBusy ? sliceMs : Math.max(0, (at ?? Number.POSITIVE_INFINITY) - clock.now());
    if (!this.#wake.signal.aborted || isBusy) {
      const wake = isBusy ? signal : AbortSignal.any([this.#wake.signal, signal]);
      await clock.sleep(durationMs(Math.min(wait, 2 ** 31 - 1)), wake);
    }
    this.#wake = new AbortController();
  }

  /** A pod that cannot be judged waits for its next turn; the others go on. */
  #tryOnce(pod: PodInfo): void {
    try {
      this.#schedule(pod);
    } catch (error) {
      this.#queue.failed(pod.key, this.#options.clock.now());
      this.#options.log('pod could not be scheduled', { pod: pod.key, error });
    }
  }

  #schedule(pod: PodInfo): void {
    const known = this.#failures.get(pod.classKey);
    if (known?.revision === this.#state.revision) {
      this.#fail(pod, known.message);
      return;
    }
    const decision = this.#chooser.decide(pod);
    if ('nodeName' in decision) {
      this.#bind(pod, decision.nodeName);
      return;
    }
    if (this.#state.nodes.length === 0) {
      this.#fail(pod, noNodes);
      return;
    }
    const text = diagnosisText(decision.diagnosis);
    if (decision.diagnosis.refusal !== undefined) this.#fail(pod, `${text} ${noState}`);
    else this.#makeRoom(pod, decision.diagnosis, text);
  }

  #makeRoom(pod: PodInfo, diagnosis: Diagnosis, text: string): void {
    const budgets = this.#options.caches.of(kinds.podDisruptionBudget).list();
    const preemption = preempt(pod, diagnosis, this.#state, budgets);
    if ('victims' in preemption) {
      this.#chooser.nominate(pod, preemption.nodeName);
      this.#fail(pod, text);
      this.#write('preempt', pod, () => this.#writer.preempt(pod, preemption.nodeName, preemption.victims));
      return;
    }
    const message = `${text} ${noClaims}, ${preemption.message}`;
    this.#remember(pod, message);
    this.#fail(pod, message);
  }

  /** Claims and volumes change without a new revision, so those pods are looked at each time. */
  #remember({ classKey, claims }: PodInfo, message: string): void {
    if (claims.length > 0) return;
    if (this.#failures.size > 10_000) this.#failures.clear();
    this.#failures.set(classKey, { revision: this.#state.revision, message });
  }

  #fail(pod: PodInfo, message: string): void {
    this.#queue.failed(pod.key, this.#options.clock.now());
    this.#write('report', pod, () => this.#writer.fail(pod, message));
  }

  #bind(pod: PodInfo, nodeName: string): void {
    this.#state.place(pod, nodeName);
    this.#write('bind', pod, async () => {
      try {
        await this.#writer.bind(pod, nodeName);
      } catch (error) {
        this.#unbind(pod);
        throw error;
      }
    });
  }

  #unbind({ key, pod }: PodInfo): void {
    // The answer may have been lost on the way back from a binding that was made.
    if (this.#options.caches.of(kinds.pod).get(keyOf(pod))?.spec?.nodeName) return;
    this.#state.unplace(key);
    this.#queue.retry(key, this.#options.clock.now());
    this.#wake.abort(work);
  }

  #write(action: string, pod: PodInfo, write: () => Promise<void>): void {
    const { log, signal } = this.#options;
    this.#writes.run(write).catch((error: unknown) => {
      if (!signal.aborted) log('scheduler write failed', { action, pod: pod.key, error });
    });
  }
}

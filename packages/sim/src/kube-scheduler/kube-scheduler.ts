import { durationMs } from '@karpenter/core/values';
import type { CacheSet } from '@karpenter/kube/cache';
import { type KubeClient, keyOf, kinds } from '@karpenter/kube/client';
import type { Clock } from '@karpenter/kube/runtime';
import { TimeSlice } from '@karpenter/kube/yielding';
import { chanceFrom } from '../objects/chance.ts';
import { ComponentEventRecorder } from '../objects/event-recorder.ts';
import { Limiter } from '../objects/limiter.ts';
import type { SimulationLog } from '../objects/simulation-log.ts';
import { PodWriter } from './binding.ts';
import { ClusterFeed } from './cluster-feed.ts';
import { NodeChooser } from './decide.ts';
import { type Diagnosis, diagnosisText } from './fit-error.ts';
import type { PodInfo } from './pods/pod-info.ts';
import { preempt } from './preemption.ts';
import { SchedulingQueue } from './scheduling-queue.ts';
import { SchedulerState } from './state/cluster-state.ts';

export interface KubeSchedulerOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly caches: CacheSet;
  readonly signal: AbortSignal;
  readonly log: SimulationLog;
  readonly seed: number;
  /** Pods with another schedulerName are left alone; defaults to `default-scheduler`. */
  readonly schedulerName?: string;
}

const maxConcurrentWrites = 50;
/** Scheduling pauses while this many writes are queued. */
const maxQueuedWrites = 500;
/** Time between checks of the write queue during that pause. */
const busyWaitMs = 5;
const noNodes = 'no nodes available to schedule pods';
/** What the DynamicResources plugin reports in PostFilter for a pod without resource claims. */
const noClaims = 'no new claims to deallocate';
/** What it reports for a pod that failed in PreFilter, before it stored its state. */
const noState = 'not found';

/** One shared abort reason: without one, Node creates an error with a stack for every abort. */
const work = new Error('there is something to schedule');

/** The outcome for a class of pods at a revision of the cluster state. */
interface Failure {
  readonly revision: number;
  readonly message: string;
}

/**
 * Schedules pods as the default profile of kube-scheduler does, with its plugins, scores, preemption, backoff
 * and messages. Binds asynchronously and assumes success in between.
 */
export class KubeScheduler {
  readonly #options: KubeSchedulerOptions;
  readonly #state = new SchedulerState();
  readonly #queue = new SchedulingQueue();
  readonly #chooser: NodeChooser;
  readonly #writer: PodWriter;
  readonly #writes = new Limiter(maxConcurrentWrites);
  /**
   * The last failure per class of equal pods: while the state has not changed, its pods fail for the same
   * reason. Without it, every pod of a large unschedulable Deployment would search all nodes.
   */
  readonly #failures = new Map<string, Failure>();
  #wake = new AbortController();

  constructor(options: KubeSchedulerOptions) {
    this.#options = options;
    const { client, clock, caches, signal, log } = options;
    const component = options.schedulerName ?? 'default-scheduler';
    const events = new ComponentEventRecorder({ client, clock, component, log, signal });
    this.#chooser = new NodeChooser(this.#state, chanceFrom(options.seed));
    this.#writer = new PodWriter({ client, clock, caches, events, signal });
  }

  /** Runs until the signal aborts. */
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
    // Starts the watch before the sync below: preemption must not run on an empty list of PodDisruptionBudgets.
    caches.of(kinds.podDisruptionBudget);
    feed.start();
    try {
      await caches.waitForSync(signal);
      while (!signal.aborted) {
        await this.#scheduleSlice();
        await this.#waitForWork();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      feed.stop();
    }
  }

  /** Schedules pods for one time slice, then yields. */
  async #scheduleSlice(): Promise<void> {
    const { clock } = this.#options;
    const slice = new TimeSlice(clock);
    while (this.#writes.load < maxQueuedWrites && !slice.isOver) {
      const pod = this.#queue.pop(clock.now());
      if (pod === undefined) break;
      slice.run(() => this.#tryOnce(pod));
    }
    await slice.renew();
  }

  /** Sleeps until a pod is ready to try. */
  async #waitForWork(): Promise<void> {
    const { clock, signal } = this.#options;
    const at = this.#queue.nextAt();
    const isBusy = this.#writes.load >= maxQueuedWrites;
    if (!isBusy && at !== undefined && at <= clock.now()) return;
    const wait = isBusy ? busyWaitMs : Math.max(0, (at ?? Number.POSITIVE_INFINITY) - clock.now());
    if (!this.#wake.signal.aborted || isBusy) {
      const wake = isBusy ? signal : AbortSignal.any([this.#wake.signal, signal]);
      await clock.sleep(durationMs(Math.min(wait, 2 ** 31 - 1)), wake);
    }
    this.#wake = new AbortController();
  }

  /** A pod that makes a filter throw goes back to the queue; the others continue. */
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
    else this.#preempt(pod, decision.diagnosis, text);
  }

  #preempt(pod: PodInfo, diagnosis: Diagnosis, text: string): void {
    const budgets = this.#options.caches.of(kinds.podDisruptionBudget).list();
    const preemption = preempt(pod, diagnosis, { cluster: this.#state, budgets });
    if ('victims' in preemption) {
      // The nomination keeps other pods off the room until the victims are gone and this pod is tried again.
      this.#chooser.nominate(pod, preemption.nodeName);
      this.#fail(pod, text);
      this.#write('preempt', pod, () => this.#writer.preempt(pod, preemption.nodeName, preemption.victims));
      return;
    }
    const message = `${text} ${noClaims}, ${preemption.message}`;
    this.#remember(pod, message);
    this.#fail(pod, message);
  }

  /** Does not remember pods with volumes: claims and volumes change without a new revision of the state. */
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
    // The binding may have succeeded although its reply was lost.
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

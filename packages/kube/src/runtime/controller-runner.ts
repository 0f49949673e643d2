import { type DurationMs, durationMs } from '@karpenter/core/values';
import { yieldTuning } from '@karpenter/core/yielding';
import type { Clock, Rate } from '../clock/index.ts';
import { YieldBudget } from '../yielding/index.ts';
import type { BackoffOptions } from './backoff.ts';
import type { Controller, ReconcileResult } from './controller.ts';
import { atStart, type Source } from './source.ts';
import { type QueueObserver, WorkQueue } from './work-queue.ts';

/** Outcome of one reconcile, for metrics and logs. */
export interface Reconciled {
  readonly controller: string;
  readonly key: string;
  readonly result: 'success' | 'requeue_after' | 'error';
  readonly duration: DurationMs;
  readonly error?: unknown;
}

export interface RunOptions {
  readonly clock: Clock;
  /** Stops the run when aborted: no new reconcile starts, and those in progress are awaited. */
  readonly signal: AbortSignal;
  readonly sources?: readonly Source[];
  /** Backoff per key. A controller's own `backoff` is used only when this is absent. */
  readonly backoff?: BackoffOptions;
  /** Rate limit on the retries of all keys together. */
  readonly retries?: Rate;
  readonly onReconciled?: (outcome: Reconciled) => void;
  /** Yield budget, shared by all controllers of a process (ADR 0032, 0034). Defaults to one of its own. */
  readonly yieldBudget?: YieldBudget;
  /** Called as keys enter and leave the queue. */
  readonly observer?: QueueObserver;
}

/** A controller without keys: one reconcile that repeats, like Karpenter's singleton controllers. */
export interface Singleton {
  readonly name: string;
  /** Returns when to run again. After a throw it runs again with backoff. */
  reconcile(signal: AbortSignal): Promise<ReconcileResult | undefined>;
}

/**
 * Runs a controller until the signal aborts, and resolves when its last reconcile has ended. Keys queue up
 * from the start, but the first reconcile waits until every source is ready, so that it reads synced caches.
 * Rejects when a source fails to become ready.
 */
export async function runController(controller: Controller, options: RunOptions): Promise<void> {
  const { signal, sources = [] } = options;
  const queue = new WorkQueue({ ...(controller.backoff && { backoff: controller.backoff }), ...options });
  const close = () => queue.close();
  signal.addEventListener('abort', close);
  if (signal.aborted) close();
  const stops = sources.map((source) =>
    source.start((key, after) => (after === undefined ? queue.add(key) : queue.addAfter(key, after))),
  );
  try {
    await Promise.all(sources.map((source) => source.ready?.(signal)));
    await work(controller, queue, options);
  } catch (error) {
    // Sources reject when the signal aborts while they wait; that is a normal stop.
    if (!signal.aborted) throw error;
  } finally {
    for (const stop of stops) stop();
    signal.removeEventListener('abort', close);
    queue.close();
  }
}

/** Runs a singleton at once, then after each `requeueAfter` and whenever a source adds a key. */
export function runSingleton(singleton: Singleton, options: RunOptions): Promise<void> {
  const { name } = singleton;
  const controller: Controller = { name, reconcile: (_key, signal) => singleton.reconcile(signal) };
  return runController(controller, { ...options, sources: [atStart(name), ...(options.sources ?? [])] });
}

/** A budget that any number of controllers may share. */
export function reconcileBudget(clock: Clock): YieldBudget {
  return new YieldBudget(clock, yieldTuning.reconcilesPerSlice);
}

/**
 * Reconciles keys with up to `concurrency` workers. Workers are loops rather than one
 * `Promise.race` over all running reconciles, because each race would leave another
 * reaction on every pending promise. A worker starts only when the one before it gets
 * its first key: many controllers may use a thousand workers and need two.
 */
async function work(controller: Controller, queue: WorkQueue, options: RunOptions): Promise<void> {
  const { signal, yieldBudget = reconcileBudget(options.clock) } = options;
  const worker = async (others: number): Promise<void> => {
    let next: Promise<void> | undefined;
    for (;;) {
      const key = await queue.take();
      if (key === undefined) break;
      if (others > 0) next ??= worker(others - 1);
      await yieldBudget.run(async () => {
        if (!signal.aborted) await reconcileOnce(controller, key, queue, options);
      });
      if (signal.aborted) break;
    }
    await next;
  };
  await worker((controller.concurrency ?? 1) - 1);
}

/**
 * Reconciles one key and requeues it after `requeueAfter`.
 * Never rejects: a throw requeues the key with backoff.
 */
async function reconcileOnce(
  controller: Controller,
  key: string,
  queue: WorkQueue,
  { clock, signal, onReconciled }: RunOptions,
): Promise<void> {
  const started = clock.now();
  const report = (outcome: Pick<Reconciled, 'result' | 'error'>) =>
    onReconciled?.({
      controller: controller.name,
      key,
      duration: durationMs(clock.now() - started),
      ...outcome,
    });
  try {
    const result = await controller.reconcile(key, signal);
    queue.forget(key);
    if (result !== undefined) queue.addAfter(key, result.requeueAfter);
    report({ result: result === undefined ? 'success' : 'requeue_after' });
  } catch (error) {
    queue.addFailed(key);
    report({ result: 'error', error });
  } finally {
    queue.done(key);
  }
}

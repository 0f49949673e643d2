import { type DurationMs, durationMs } from '@karpenter/core/values';
import type { BackoffOptions } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { Again, Controller } from './controller.ts';
import { atStart, type Source } from './source.ts';
import type { Rate } from './token-bucket.ts';
import { Turns } from './turns.ts';
import { type QueueObserver, WorkQueue } from './work-queue.ts';

/** How one reconcile ended, for metrics and logs. */
export interface Reconciled {
  readonly controller: string;
  readonly key: string;
  readonly result: 'success' | 'requeue_after' | 'error';
  readonly duration: DurationMs;
  readonly error?: unknown;
}

export interface RunOptions {
  readonly clock: Clock;
  /** Ends the run: nothing new begins, what is under way is waited for. */
  readonly signal: AbortSignal;
  readonly sources?: readonly Source[];
  readonly backoff?: BackoffOptions;
  readonly retries?: Rate;
  readonly onReconciled?: (outcome: Reconciled) => void;
  /** Shared by controllers that are to take their turns together; its own unless told. */
  readonly turns?: Turns;
  /** Told of keys as they come and go. */
  readonly observer?: QueueObserver;
}

/** A controller that has one thing to do, over and over, rather than many keys. */
export interface Singleton {
  readonly name: string;
  reconcile(signal: AbortSignal): Promise<Again | undefined>;
}

/** Runs a controller until the signal is raised; resolves when its last reconcile has ended. */
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
    if (!signal.aborted) throw error;
  } finally {
    for (const stop of stops) stop();
    signal.removeEventListener('abort', close);
    queue.close();
  }
}

/** Runs it at once, then whenever it asked to be run again or a source says so. */
export function runSingleton(singleton: Singleton, options: RunOptions): Promise<void> {
  const { name } = singleton;
  const controller: Controller = { name, reconcile: (_key, signal) => singleton.reconcile(signal) };
  return runController(controller, { ...options, sources: [atStart(name), ...(options.sources ?? [])] });
}

/**
 * Lanes rather than a race of all that runs: each race would leave a reaction on every one of them. A lane is opened when
 * the one before it has its first key; many controllers may have a thousand and need two.
 */
async function work(controller: Controller, queue: WorkQueue, options: RunOptions): Promise<void> {
  const { turns = new Turns() } = options;
  const lane = async (others: number): Promise<void> => {
    let next: Promise<void> | undefined;
    for (;;) {
      const key = await queue.take();
      if (key === undefined) break;
      if (others > 0) next ??= lane(others - 1);
      await turns.take();
      if (options.signal.aborted) break;
      await reconcileOnce(controller, key, queue, options);
    }
    await next;
  };
  await lane((controller.concurrency ?? 1) - 1);
}

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
    const again = await controller.reconcile(key, signal);
    queue.forget(key);
    if (again !== undefined) queue.addAfter(key, again.requeueAfter);
    report({ result: again === undefined ? 'success' : 'requeue_after' });
  } catch (error) {
    queue.addFailed(key);
    report({ result: 'error', error });
  } finally {
    queue.done(key);
  }
}

import { runtimeMetrics } from '@karpenter/core/api';
import type { Meters } from '@karpenter/core/ports';
import type { DurationMs } from '@karpenter/core/values';
import type { Clock, QueueObserver, QueueView, Reconciled } from '@karpenter/kube/runtime';

const results = ['success', 'requeue_after', 'error'] as const satisfies readonly Reconciled['result'][];

/**
 * The controller and workqueue metrics of one controller, with the names of controller-runtime and client-go.
 * Gauges of running work are computed at each scrape by `show`, not on every change.
 */
export class WorkMeter implements QueueObserver {
  readonly #meters: Meters;
  readonly #clock: Clock;
  readonly #controller: Readonly<Record<'controller', string>>;
  readonly #queue: Readonly<Record<'name' | 'controller', string>>;
  #view: QueueView | undefined;

  constructor(name: string, concurrency: number, { meters, clock }: { meters: Meters; clock: Clock }) {
    this.#meters = meters;
    this.#clock = clock;
    this.#controller = { controller: name };
    this.#queue = { name, controller: name };
    meters.set(runtimeMetrics.maxConcurrentReconciles, this.#controller, concurrency);
    this.#beginAtZero();
  }

  opened(queue: QueueView): void {
    this.#view = queue;
  }

  added(): void {
    this.#meters.increment(runtimeMetrics.queueAdds, this.#queue);
  }

  retried(): void {
    this.#meters.increment(runtimeMetrics.queueRetries, this.#queue);
  }

  taken(waited: DurationMs): void {
    this.#meters.observe(runtimeMetrics.queueDuration, this.#queue, waited / 1000);
  }

  reconciled({ result, duration, error }: Reconciled): void {
    const meters = this.#meters;
    meters.increment(runtimeMetrics.reconciles, { ...this.#controller, result });
    meters.observe(runtimeMetrics.reconcileTime, this.#controller, duration / 1000);
    meters.observe(runtimeMetrics.workDuration, this.#queue, duration / 1000);
    if (result !== 'error') return;
    meters.increment(runtimeMetrics.reconcileErrors, this.#controller);
    if (isProgrammingError(error)) meters.increment(runtimeMetrics.reconcilePanics, this.#controller);
  }

  /** Sets the queue depth and the gauges of running reconciles. */
  show(): void {
    const now = this.#clock.now();
    const ages = [...(this.#view?.running.values() ?? [])].map((since) => (now - since) / 1000);
    const meters = this.#meters;
    meters.set(runtimeMetrics.queueDepth, { ...this.#queue, priority: '' }, this.#view?.depth ?? 0);
    meters.set(runtimeMetrics.activeWorkers, this.#controller, ages.length);
    meters.set(
      runtimeMetrics.unfinishedWork,
      this.#queue,
      ages.reduce((sum, age) => sum + age, 0),
    );
    meters.set(runtimeMetrics.longestRunning, this.#queue, Math.max(0, ...ages));
  }

  /**
   * Creates counters at zero: `rate` over a counter that appears with its first event misses that event.
   * Terminal errors stay at zero, because every failed reconcile is retried; so do timeouts, because no
   * controller limits the time of a reconcile, as in Karpenter.
   */
  #beginAtZero(): void {
    const { reconciles, reconcileErrors, terminalReconcileErrors, reconcilePanics, reconcileTimeouts } =
      runtimeMetrics;
    for (const result of results) {
      this.#meters.increment(reconciles, { ...this.#controller, result }, 0);
    }
    for (const counter of [reconcileErrors, terminalReconcileErrors, reconcilePanics, reconcileTimeouts]) {
      this.#meters.increment(counter, this.#controller, 0);
    }
    for (const counter of [runtimeMetrics.queueAdds, runtimeMetrics.queueRetries]) {
      this.#meters.increment(counter, this.#queue, 0);
    }
  }
}

/** Errors that the language throws are bugs; they count as panics, as in controller-runtime. */
function isProgrammingError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

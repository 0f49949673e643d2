import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Log, LogFields, Meters } from '@karpenter/core/ports';
import { isConflict, parseKey } from '@karpenter/kube/client';
import {
  type Clock,
  type Controller,
  type Runnable,
  type RunOptions,
  reconcileBudget,
  runController,
  runnableName,
  runSingleton,
  type Singleton,
  waitsFor,
} from '@karpenter/kube/runtime';
import type { YieldBudget } from '@karpenter/kube/yielding';
import { errorFields } from './error-fields.ts';
import { inScope, type ReconcileScope } from './reconcile-scope.ts';
import { WorkMeter } from './work-meter.ts';

export interface ManagerOptions {
  readonly clock: Clock;
  readonly meters: Meters;
  readonly log: Log;
  /** Additional log fields of a failed reconcile, such as the cloud provider call that caused it. */
  readonly causeFields?: (error: unknown) => LogFields;
  /** Registers a callback that updates gauges before each scrape. */
  readonly beforeScrape?: (collect: () => void) => void;
  /**
   * No controller starts before it resolves; defaults to immediately. While the first lists load, reconciles
   * of the objects that already arrived would delay every further page on a large cluster.
   */
  readonly ready?: Promise<void>;
  /** Stops all controllers. Reconciles that are running are waited for. */
  readonly signal: AbortSignal;
}

/**
 * Runs all controllers until the signal aborts, and reports reconciles in logs and metrics with the names of
 * controller-runtime. Resolves when all of them have stopped.
 */
export async function runAll(runnables: readonly Runnable[], options: ManagerOptions): Promise<void> {
  // Every controller adds a listener to the signal, far more than the ten after which Node.js warns of a
  // leak.
  setMaxListeners(0, options.signal);
  const yieldBudget = reconcileBudget(options.clock);
  await Promise.all(runnables.map((runnable) => run(runnable, yieldBudget, options)));
}

function run(runnable: Runnable, yieldBudget: YieldBudget, options: ManagerOptions): Promise<void> {
  const { clock, signal, beforeScrape, ready = Promise.resolve() } = options;
  const name = runnableName(runnable);
  const concurrency = 'controller' in runnable ? (runnable.controller.concurrency ?? 1) : 1;
  const meter = new WorkMeter(name, concurrency, options);
  beforeScrape?.(() => meter.show());
  const runOptions: RunOptions = {
    clock,
    signal,
    yieldBudget,
    sources: [...(runnable.sources ?? []), waitsFor(() => ready)],
    onReconciled: (outcome) => meter.reconciled(outcome),
    observer: meter,
  };
  return 'controller' in runnable
    ? runController(reportControllerErrors(runnable.controller, options), runOptions)
    : runSingleton(reportSingletonErrors(runnable.singleton, options), runOptions);
}

/**
 * Copies the fields one by one: a controller is often a class instance, whose methods a spread would lose.
 */
function reportControllerErrors(controller: Controller, options: ManagerOptions): Controller {
  const { name, kind, concurrency, backoff } = controller;
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(backoff === undefined ? {} : { backoff }),
    reconcile: (key, signal) =>
      withErrorLog(scopeOf(name, key, kind), options, () => controller.reconcile(key, signal)),
  };
}

function reportSingletonErrors(singleton: Singleton, options: ManagerOptions): Singleton {
  const { name } = singleton;
  return {
    name,
    reconcile: (signal) => withErrorLog(scopeOf(name, ''), options, () => singleton.reconcile(signal)),
  };
}

/**
 * Runs a reconcile in its log scope and logs its error. Conflicts are not logged: another writer came first,
 * and the retry works on the newer object. Nor are errors during shutdown.
 */
function withErrorLog<T>(scope: ReconcileScope, options: ManagerOptions, work: () => Promise<T>): Promise<T> {
  const { log, signal, causeFields } = options;
  return inScope(scope, async () => {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) && !signal.aborted) {
        log.error('Reconciler error', { ...errorFields(error), ...causeFields?.(error) });
      }
      throw error;
    }
  });
}

/** The log fields of a reconcile, in controller-runtime's names and order. */
function scopeOf(controller: string, key: string, kind?: Controller['kind']): ReconcileScope {
  const { namespace = '', name } = parseKey(key);
  const object = namespace === '' ? { name } : { name, namespace };
  const kindFields: LogFields =
    kind === undefined ? {} : { controllerGroup: kind.group, controllerKind: kind.kind, [kind.kind]: object };
  return {
    controller,
    fields: { controller, ...kindFields, namespace, name, reconcileID: randomUUID() },
  };
}

import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Log, LogFields, Meters } from '@karpenter/core/ports';
import { isConflict, parseKey } from '@karpenter/kube/client';
import {
  type Clock,
  type Controller,
  type Runnable,
  type RunOptions,
  runController,
  runnableName,
  runSingleton,
  type Singleton,
  Turns,
  waitsFor,
} from '@karpenter/kube/runtime';
import { errorFields } from './error-fields.ts';
import { inScope, type ReconcileScope } from './reconcile-scope.ts';
import { WorkMeter } from './work-meter.ts';

export interface ManagerOptions {
  readonly clock: Clock;
  readonly meters: Meters;
  readonly log: Log;
  /** What else a line on a failure says, such as which call to a cloud was its cause. */
  readonly causeFields?: (error: unknown) => LogFields;
  /** Has figures brought up to date whenever somebody looks at them. */
  readonly beforeScrape?: (collect: () => void) => void;
  /**
   * Nobody works before; defaults to immediately. On a large cluster the pages of a list would each wait for the work on what
   * the pages before have brought.
   */
  readonly ready?: Promise<void>;
  /** Ends all controllers; what they have begun is waited for. */
  readonly signal: AbortSignal;
}

/** Runs controllers side by side until the signal is raised, and tells of each reconcile in logs and metrics. */
export async function runAll(runnables: readonly Runnable[], options: ManagerOptions): Promise<void> {
  // Each controller waits for the end.
  setMaxListeners(0, options.signal);
  const turns = new Turns();
  await Promise.all(runnables.map((runnable) => run(runnable, turns, options)));
}

function run(runnable: Runnable, turns: Turns, options: ManagerOptions): Promise<void> {
  const { clock, signal, beforeScrape, ready = Promise.resolve() } = options;
  const name = runnableName(runnable);
  const concurrency = 'controller' in runnable ? (runnable.controller.concurrency ?? 1) : 1;
  const meter = new WorkMeter(name, concurrency, options);
  beforeScrape?.(() => meter.show());
  const runOptions: RunOptions = {
    clock,
    signal,
    turns,
    sources: [...(runnable.sources ?? []), waitsFor(() => ready)],
    onReconciled: (outcome) => meter.reconciled(outcome),
    observer: meter,
  };
  return 'controller' in runnable
    ? runController(reportControllerErrors(runnable.controller, options), runOptions)
    : runSingleton(reportSingletonErrors(runnable.singleton, options), runOptions);
}

function reportControllerErrors(controller: Controller, options: ManagerOptions): Controller {
  const { name, kind, concurrency, backoff } = controller;
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(backoff === undefined ? {} : { backoff }),
    reconcile: (key, signal) =>
      told(scopeOf(name, key, kind), options, () => controller.reconcile(key, signal)),
  };
}

function reportSingletonErrors(singleton: Singleton, options: ManagerOptions): Singleton {
  const { name } = singleton;
  return {
    name,
    reconcile: (signal) => told(scopeOf(name, ''), options, () => singleton.reconcile(signal)),
  };
}

/** Somebody else's write that came first is no failure: the next try sees it. */
function told<T>(scope: ReconcileScope, options: ManagerOptions, work: () => Promise<T>): Promise<T> {
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

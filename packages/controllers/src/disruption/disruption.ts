import { controllerNames, disruptionTuning } from '@karpenter/core/api';
import { type DurationMs, durationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import { isConflict } from '@karpenter/kube/client';
import type { Instant, ReconcileResult, Runnable, Singleton } from '@karpenter/kube/runtime';
import type { ControllerContext } from '../context/index.ts';
import { CommandQueue, disruptionQueue } from '../disruption-queue/index.ts';
import { BudgetGauges } from './budget-gauges.ts';
import { ConsolidationMethod } from './consolidation-method.ts';
import { DriftMethod, StaticDriftMethod } from './drift-method.ts';
import { EmptinessMethod } from './emptiness-method.ts';
import type { Method, MethodContext } from './method.ts';
import { Pass } from './pass.ts';
import { removeStaleTaints } from './stale-taints.ts';
import { WaitingCommands } from './waiting-commands.ts';

export type DisruptionContext = ControllerContext;

/**
 * The disruption loop and the queue that carries out its commands. They share the queue in memory: nodes of
 * queued commands are no candidates.
 */
export function disruption(context: DisruptionContext): readonly Runnable[] {
  const queue = new CommandQueue();
  const methodContext = {
    ...context,
    queue,
    waiting: new WaitingCommands(),
    budgetGauges: new BudgetGauges(context.meters),
  };
  return [{ singleton: new DisruptionController(methodContext) }, disruptionQueue(context, queue)];
}

const requeueNow: ReconcileResult = { requeueAfter: durationMs(0) };

/**
 * Runs all methods every ten seconds, and earlier when a waiting command becomes due. Karpenter's loop ends
 * with the first method that finds a command and blocks while that command waits for its validation; this one
 * does neither (ADR 0031).
 */
class DisruptionController implements Singleton {
  readonly name = controllerNames.disruption;
  readonly #context: MethodContext;
  /** In Karpenter's order: a node that an earlier method takes is no candidate for a later one. */
  readonly #methods: readonly Method[];
  #lastRun: Instant | undefined;
  #nextPass = Number.NEGATIVE_INFINITY;

  constructor(context: MethodContext) {
    this.#context = context;
    this.#methods = [
      new EmptinessMethod(context),
      new StaticDriftMethod(context),
      new DriftMethod(context),
      new ConsolidationMethod(context),
    ];
  }

  async reconcile(signal: AbortSignal): Promise<ReconcileResult> {
    const { cluster, clock } = this.#context;
    if (!cluster.synced) return { requeueAfter: disruptionTuning.unsyncedRetry };
    this.#warnIfLate();
    if (!this.#isDue()) return { requeueAfter: this.#untilNext() };
    // A pass that throws leaves this in the past, so that the retry after the backoff runs a whole pass.
    this.#nextPass = clock.now();
    try {
      await removeStaleTaints(this.#context);
      // Every method gets a new snapshot: the one before may have started commands and taken seconds.
      for (const method of this.#methods) {
        const { snapshot } = await this.#context.planning.refresh();
        await method.run(new Pass(this.#context, snapshot), signal);
      }
    } catch (error) {
      // Another writer came first, so the caches are about to change: run again on what they bring.
      if (isConflict(error)) return requeueNow;
      throw error;
    }
    this.#nextPass = clock.now() + disruptionTuning.poll;
    return { requeueAfter: this.#untilNext() };
  }

  /** A pass is due every ten seconds, and whenever a waiting command can start. */
  #isDue(): boolean {
    const { cluster, clock, waiting } = this.#context;
    const now = clock.now();
    return now >= this.#nextPass || waiting.isAnyReady(cluster.snapshot(), now);
  }

  #untilNext(): DurationMs {
    const { clock, waiting } = this.#context;
    const now = clock.now();
    const untilPass = Math.max(0, this.#nextPass - now);
    return durationMs(Math.min(untilPass, waiting.untilNext(now) ?? untilPass));
  }

  /** Logs when more than 15 minutes have passed between two runs, as Karpenter does. */
  #warnIfLate(): void {
    const { clock, log } = this.#context;
    const now = clock.now();
    const since = this.#lastRun === undefined ? 0 : now - this.#lastRun;
    this.#lastRun = now;
    if (since > disruptionTuning.abnormalLoopWarning)
      log.debug('abnormal time between runs', {
        name: this.name,
        time_since: formatDuration(durationMsToNs(durationMs(since))),
      });
  }
}

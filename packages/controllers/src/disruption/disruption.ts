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

/** Looks for nodes to take away or replace, and carries out what it finds. */
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

const atOnce: ReconcileResult = { requeueAfter: durationMs(0) };

class DisruptionController implements Singleton {
  readonly name = controllerNames.disruption;
  readonly #context: MethodContext;
  /** In the order in which they are tried: what an earlier one takes is not left for a later one. */
  readonly #methods: readonly Method[];
  #last: Instant | undefined;
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
    this.#watchPace();
    if (!this.#isTime()) return { requeueAfter: this.#untilNext() };
    this.#nextPass = clock.now();
    try {
      await removeStaleTaints(this.#context);
      for (const method of this.#methods)
        await method.run(new Pass(this.#context, await this.#context.planning.snapshot()), signal);
    } catch (error) {
      if (isConflict(error)) return atOnce;
      throw error;
    }
    this.#nextPass = clock.now() + disruptionTuning.poll;
    return { requeueAfter: this.#untilNext() };
  }

  /** Every ten seconds, and whenever a command that waits can begin. */
  #isTime(): boolean {
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

  #watchPace(): void {
    const { clock, log } = this.#context;
    const now = clock.now();
    const since = this.#last === undefined ? 0 : now - this.#last;
    this.#last = now;
    if (since > disruptionTuning.abnormalLoopWarning)
      log.debug('abnormal time between runs', {
        name: this.name,
        time_since: formatDuration(durationMsToNs(durationMs(since))),
      });
  }
}

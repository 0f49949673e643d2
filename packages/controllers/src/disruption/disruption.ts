import { controllerNames, disruptionReasons, disruptionTuning } from '@karpenter/core/api';
import { type DisruptionMethod, disruptionMethods } from '@karpenter/core/decisions';
import { PodMoves } from '@karpenter/core/disruption';
import { type DurationMs, durationMs, durationMsToNs, formatDuration } from '@karpenter/core/values';
import { isConflict } from '@karpenter/kube/client';
import type { Instant, ReconcileResult, Runnable, Singleton } from '@karpenter/kube/runtime';
import { yieldToEventLoop } from '@karpenter/kube/yielding';
import type { ControllerContext } from '../context/index.ts';
import { CommandQueue, disruptionQueue } from '../disruption-queue/index.ts';
import { BudgetGauges } from './budget-gauges.ts';
import { markLeavingNodes } from './leaving-taints.ts';
import type { Method, MethodContext } from './method.ts';
import { methodOrigin } from './method-origin.ts';
import { newMethod } from './methods.ts';
import { Pass } from './pass.ts';
import { removeStaleTaints } from './stale-taints.ts';
import { startAll } from './start-all.ts';
import { WaitingCommands } from './waiting-commands.ts';

export type DisruptionContext = ControllerContext;

/**
 * The disruption loop and the queue that carries out its commands. They share the queue in memory: nodes of
 * queued commands are no candidates.
 */
export function disruption(context: DisruptionContext): readonly Runnable[] {
  const queue = new CommandQueue();
  const loopContext: LoopContext = {
    ...context,
    queue,
    waiting: new WaitingCommands(),
    podMoves: trackPodMoves(context),
    budgetGauges: new BudgetGauges(context.meters),
    start: (commands, options) => startAll({ ...context, queue }, commands, options),
  };
  return [{ singleton: new DisruptionController(loopContext) }, disruptionQueue(context, queue)];
}

/** Counts moves of pods for as long as this process leads (ADR 0060). */
function trackPodMoves({ cluster, clock }: DisruptionContext): PodMoves {
  const moves = new PodMoves();
  cluster.subscribe((event) => {
    if (!('kind' in event) || event.kind !== 'Pod') return;
    if (event.type === 'applied') moves.put(event.object);
    else if (event.type === 'deleted') moves.remove(event.object, clock.now());
  });
  return moves;
}

type LoopContext = MethodContext & ControllerContext & { readonly queue: CommandQueue };

const requeueNow: ReconcileResult = { requeueAfter: durationMs(0) };

/**
 * Runs all methods every ten seconds and looks for empty nodes every four. In between, waiting commands start as soon
 * as they are due, without another search. Karpenter's loop ends with the first method that finds a command and blocks
 * while that command waits for its validation; this one does neither (ADR 0031).
 */
class DisruptionController implements Singleton {
  readonly name = controllerNames.disruption;
  readonly #context: LoopContext;
  /** In Karpenter's order: a node that an earlier method takes is no candidate for a later one. */
  readonly #methods: readonly [DisruptionMethod, Method][];
  #lastRun: Instant | undefined;
  #nextPass = Number.NEGATIVE_INFINITY;
  #nextEmptiness = Number.NEGATIVE_INFINITY;

  constructor(context: LoopContext) {
    this.#context = context;
    this.#methods = disruptionMethods.map((name) => [name, newMethod(name, context)]);
  }

  async reconcile(signal: AbortSignal): Promise<ReconcileResult> {
    const { cluster, clock } = this.#context;
    // Nodes look empty until the pods are listed.
    if (!cluster.synced) return { requeueAfter: disruptionTuning.unsyncedRetry };
    this.#warnIfLate();
    const now = clock.now();
    const due = this.#dueMethods();
    if (due.length === 0) return { requeueAfter: this.#untilNext() };
    const isFullPass = now >= this.#nextPass;
    // A pass that throws leaves this in the past, so that the retry after the backoff is a full pass.
    if (isFullPass) this.#nextPass = now;
    try {
      for (const [name, method] of due) {
        await yieldToEventLoop();
        // Before every method: the one before may have failed to start a command after it tainted the nodes.
        await removeStaleTaints(this.#context);
        // Every method gets a new snapshot: the one before may have started commands and taken seconds.
        await method.run(await this.#passOf(name, isFullPass), signal);
      }
      await yieldToEventLoop();
      // Last, when it is decided which commands wait (ADR 0069); an aborted pass has not decided it.
      if (!signal.aborted) await markLeavingNodes(this.#context);
    } catch (error) {
      // Another writer came first. As in Karpenter, run again at once on the newer objects, without a backoff.
      if (isConflict(error)) return requeueNow;
      throw error;
    }
    // From the end of the pass: passes longer than the period would otherwise follow each other without a
    // pause.
    if (isFullPass) this.#nextPass = clock.now() + disruptionTuning.poll;
    if (due.some(([, { reason }]) => reason === disruptionReasons.empty))
      this.#nextEmptiness = clock.now() + disruptionTuning.emptinessPoll;
    return { requeueAfter: this.#untilNext() };
  }

  async #passOf(name: DisruptionMethod, searches: boolean): Promise<Pass> {
    const { planning, decisions, queue, waiting } = this.#context;
    const capture = decisions.keepsClusters ? 'fallback' : undefined;
    const { snapshot, captured } = await planning.refresh({ capture });
    const origin = captured && methodOrigin({ captured, method: name, queue, waiting });
    return new Pass(this.#context, snapshot, { origin, searches });
  }

  /**
   * All methods are due every ten seconds; in between those with a waiting command that can start, and
   * emptiness every four seconds.
   */
  #dueMethods(): readonly [DisruptionMethod, Method][] {
    const { cluster, clock, waiting } = this.#context;
    const now = clock.now();
    if (now >= this.#nextPass) return this.#methods;
    const ready = waiting.readyReasons(() => cluster.snapshot(), now);
    if (now >= this.#nextEmptiness) ready.add(disruptionReasons.empty);
    return this.#methods.filter(([, { reason }]) => ready.has(reason));
  }

  #untilNext(): DurationMs {
    const { clock, waiting } = this.#context;
    const now = clock.now();
    const untilPass = Math.max(0, Math.min(this.#nextPass, this.#nextEmptiness) - now);
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

import {
  consolidationTypes,
  disruptionMetrics,
  disruptionReasons,
  disruptionTuning,
} from '@karpenter/core/api';
import {
  BudgetLedger,
  CandidateJudge,
  type Command,
  commandText,
  deleteEmpty,
  poolBudgets,
  validateEmptiness,
} from '@karpenter/core/disruption';
import { Memory } from './memory.ts';
import { beginRound, type Method, type MethodContext, reportEligible, startAll, timed } from './method.ts';
import { tellUnconsolidatable } from './told.ts';

/** Deletes nodes on which nothing runs that would have to move. */
export class EmptinessMethod implements Method {
  readonly reason = disruptionReasons.empty;
  readonly consolidationType = consolidationTypes.empty;
  readonly #context: MethodContext;
  readonly #memory = new Memory();

  constructor(context: MethodContext) {
    this.#context = context;
  }

  async run(signal: AbortSignal): Promise<boolean> {
    const command = await timed(this.#context, this, () => this.#decide(signal));
    if (command === undefined) return false;
    const { clock, meters, log } = this.#context;
    await clock.sleep(disruptionTuning.validationDelay, signal);
    if (signal.aborted) return false;
    const snapshot = await this.#context.planning.snapshot();
    const context = { snapshot, queued: this.#context.queue.nodes };
    const { command: valid, dropped } = validateEmptiness(command, {
      ...context,
      judge: new CandidateJudge(context),
      budgets: poolBudgets(snapshot, this.reason),
    });
    if (dropped > 0)
      meters.increment(
        disruptionMetrics.failedValidations,
        { consolidation_type: this.consolidationType },
        dropped,
      );
    if (valid !== undefined) return startAll(this.#context, [valid], snapshot);
    log.debug('abandoning empty node consolidation attempt due to pod churn, command is no longer valid', {
      command: commandText(command, ''),
    });
    return false;
  }

  async #decide(signal: AbortSignal): Promise<Command | undefined> {
    const round = await beginRound(this.#context, this, 'graceful', signal);
    if (round === undefined) return undefined;
    const ledger = new BudgetLedger(round.budgets);
    const { eligible, told, command } = deleteEmpty(round.candidates, ledger);
    reportEligible(this.#context, this.reason, eligible.length);
    tellUnconsolidatable(this.#context, told);
    if (eligible.length === 0 || this.#memory.isFresh(round, eligible)) return undefined;
    if (command === undefined) this.#memory.foundNothing(round, eligible);
    return command;
  }
}

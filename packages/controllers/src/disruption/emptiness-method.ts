import { consolidationTypes, disruptionMetrics, disruptionReasons } from '@karpenter/core/api';
import {
  type Command,
  commandText,
  deleteEmpty,
  type EmptinessValidation,
  validateEmptiness,
} from '@karpenter/core/disruption';
import { publishUnconsolidatable } from './disruption-events.ts';
import { beginRound, type Method, type MethodContext, reportEligible, timed } from './method.ts';
import { Memory } from './no-command-cache.ts';
import type { Pass } from './pass.ts';

/** Deletes nodes on which nothing runs that would have to move. */
export class EmptinessMethod implements Method {
  readonly reason = disruptionReasons.empty;
  readonly consolidationType = consolidationTypes.empty;
  readonly disruptionClass = 'graceful';
  readonly #context: MethodContext;
  readonly #memory = new Memory();

  constructor(context: MethodContext) {
    this.#context = context;
  }

  async run(pass: Pass, signal: AbortSignal): Promise<void> {
    await this.#startDue(pass, signal);
    const command = await timed(this.#context, this, () => this.#decide(pass, signal));
    if (command !== undefined) this.#context.waiting.add([command], pass.snapshot.at);
  }

  async #startDue(pass: Pass, signal: AbortSignal): Promise<void> {
    const { waiting } = this.#context;
    const inputs = pass.validation(this.reason);
    const ledger = pass.ledger(inputs.budgets);
    const judged = waiting.of(this.reason).map((each) => {
      const verdict = validateEmptiness(each, inputs, ledger);
      this.#report(each.command, verdict);
      return verdict;
    });
    waiting.keep(
      this.reason,
      judged.flatMap((each) => each.waiting ?? []),
    );
    await pass.start(
      judged.flatMap(({ command }) => command ?? []),
      signal,
    );
  }

  #report(found: Command, { command, waiting, dropped }: EmptinessValidation): void {
    const { meters, log } = this.#context;
    const labels = { consolidation_type: this.consolidationType };
    if (dropped > 0) meters.increment(disruptionMetrics.failedValidations, labels, dropped);
    if (command !== undefined || waiting !== undefined) return;
    log.debug('abandoning empty node consolidation attempt due to pod churn, command is no longer valid', {
      command: commandText(found, ''),
    });
  }

  async #decide(pass: Pass, signal: AbortSignal): Promise<Command | undefined> {
    const round = await beginRound(this.#context, pass, this, signal);
    if (round === undefined) return undefined;
    const { eligible, told, command } = deleteEmpty(round.candidates, pass.ledgerAhead(round.budgets));
    reportEligible(this.#context, this.reason, eligible.length);
    publishUnconsolidatable(this.#context, told);
    if (eligible.length === 0 || this.#memory.isFresh(round, eligible)) return undefined;
    if (command === undefined) this.#memory.foundNothing(round, eligible);
    return command;
  }
}

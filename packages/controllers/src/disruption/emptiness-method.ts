import { consolidationTypes, disruptionReasons } from '@karpenter/core/api';
import {
  type Command,
  commandText,
  deleteEmpty,
  type EmptinessValidation,
  validateEmptiness,
} from '@karpenter/core/disruption';
import { yieldToEventLoop } from '@karpenter/kube/yielding';
import { publishUnconsolidatable } from './disruption-events.ts';
import {
  countFailedValidations,
  type Method,
  type MethodContext,
  measureEvaluation,
  prepareInput,
  reportEligible,
} from './method.ts';
import type { Pass } from './pass.ts';
import { SearchCache } from './search-cache.ts';

/** Deletes nodes without reschedulable pods. No simulation is needed, since no pod has to move. */
export class EmptinessMethod implements Method {
  readonly reason = disruptionReasons.empty;
  readonly consolidationType = consolidationTypes.empty;
  readonly disruptionClass = 'graceful';
  readonly #context: MethodContext;
  /** The last search that found no command. */
  readonly #noCommand = new SearchCache();

  constructor(context: MethodContext) {
    this.#context = context;
    countFailedValidations(context, this.consolidationType, 0);
  }

  /** Searches even if `pass.searches` is false: without a simulation that is cheap, and due every four seconds. */
  async run(pass: Pass, signal: AbortSignal): Promise<void> {
    await this.#startDue(pass, signal);
    await yieldToEventLoop();
    const command = await measureEvaluation(this.#context, this, () => this.#decide(pass, signal));
    // Added, not replaced: the search has left out the nodes of commands that wait already.
    if (command !== undefined) this.#context.waiting.add([command], pass.snapshot.at);
  }

  /**
   * Validates the commands whose delay is over. Nodes that received pods meanwhile drop out of their command
   * and the rest of the command goes on, as in Karpenter.
   */
  async #startDue(pass: Pass, signal: AbortSignal): Promise<void> {
    const { waiting } = this.#context;
    const inputs = pass.validation(this.reason);
    // One ledger for all: each command takes its nodes from it, so that together they stay within budgets.
    const ledger = pass.ledger(inputs.budgets);
    const verdicts = waiting.of(this.reason).map((each) => {
      const verdict = validateEmptiness(each, inputs, ledger);
      this.#report(each.command, verdict);
      return verdict;
    });
    waiting.keep(
      this.reason,
      verdicts.flatMap((each) => each.waiting ?? []),
    );
    await pass.start(
      verdicts.flatMap(({ command }) => command ?? []),
      signal,
    );
  }

  #report(validated: Command, { command, waiting, dropped }: EmptinessValidation): void {
    const { log } = this.#context;
    countFailedValidations(this.#context, this.consolidationType, dropped);
    if (command !== undefined || waiting !== undefined) return;
    log.debug('abandoning empty node consolidation attempt due to pod churn, command is no longer valid', {
      command: commandText(validated, ''),
    });
  }

  async #decide(pass: Pass, signal: AbortSignal): Promise<Command | undefined> {
    const input = await prepareInput(this.#context, pass, this, signal);
    if (input === undefined) return undefined;
    const ledger = pass.ledgerAhead(input.budgets, this.reason);
    await yieldToEventLoop();
    const { eligible, unconsolidatable, command } = deleteEmpty(input.candidates, ledger);
    reportEligible(this.#context, this.reason, eligible);
    await publishUnconsolidatable(this.#context, unconsolidatable);
    if (eligible.length === 0 || this.#noCommand.isFresh(input, eligible)) return undefined;
    if (command === undefined) this.#noCommand.record(input, eligible);
    return command;
  }
}

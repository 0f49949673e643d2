import { type DisruptionReason, disruptionTuning } from '@karpenter/core/api';
import {
  BudgetLedger,
  type Command,
  isDue,
  poolBudgets,
  poolsOf,
  type WaitingCommand,
} from '@karpenter/core/disruption';
import type { ClusterSnapshot } from '@karpenter/core/state';
import { type DurationMs, durationMs } from '@karpenter/core/values';

/** Commands that were found and have not begun, in the order in which they are to begin. */
export class WaitingCommands {
  #all: readonly WaitingCommand[] = [];

  get all(): readonly WaitingCommand[] {
    return this.#all;
  }

  of(reason: DisruptionReason): readonly WaitingCommand[] {
    return this.#all.filter(({ command }) => command.reason === reason);
  }

  /** Ids of their nodes. */
  get nodes(): ReadonlySet<string> {
    return new Set(this.#all.flatMap(({ command }) => command.candidates.map(({ id }) => id)));
  }

  add(commands: readonly Command[], since: number): void {
    this.#all = [...this.#all, ...commands.map((command) => ({ command, since }))];
  }

  /** From now on only these wait for that reason. */
  keep(reason: DisruptionReason, waiting: readonly WaitingCommand[]): void {
    this.#all = [...this.#all.filter(({ command }) => command.reason !== reason), ...waiting];
  }

  /** Whether one could begin, as far as its time and budgets are concerned. */
  isAnyReady(snapshot: ClusterSnapshot, now: number): boolean {
    const due = this.#all.filter((each) => isDue(each, now));
    const ledgers = new Map<DisruptionReason, BudgetLedger>();
    return due.some(({ command }) => {
      const ledger = ledgers.get(command.reason) ?? new BudgetLedger(poolBudgets(snapshot, command.reason));
      ledgers.set(command.reason, ledger);
      return ledger.allows(poolsOf(command));
    });
  }

  /** Until the next of them has to be looked at; those that wait for a budget are looked at again and again. */
  untilNext(now: number): DurationMs | undefined {
    const { validationDelay, queuePoll } = disruptionTuning;
    const waits = this.#all.map((each) =>
      isDue(each, now) ? queuePoll : each.since + validationDelay - now,
    );
    return waits.length === 0 ? undefined : durationMs(Math.min(...waits));
  }
}

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

/**
 * Commands that were found and have not started, in the order in which they start. Each waits for its own
 * validation delay, and after that for room in its budgets. The list lives in memory: a new process searches
 * again.
 */
export class WaitingCommands {
  #all: readonly WaitingCommand[];

  constructor(all: readonly WaitingCommand[] = []) {
    this.#all = all;
  }

  get all(): readonly WaitingCommand[] {
    return this.#all;
  }

  of(reason: DisruptionReason): readonly WaitingCommand[] {
    return this.#all.filter(({ command }) => command.reason === reason);
  }

  /** Appends commands that were found at `since`, in milliseconds since 1970. */
  add(commands: readonly Command[], since: number): void {
    this.#all = [...this.#all, ...commands.map((command) => ({ command, since }))];
  }

  /** Replaces the waiting commands of one reason. */
  keep(reason: DisruptionReason, waiting: readonly WaitingCommand[]): void {
    this.#all = [...this.#all.filter(({ command }) => command.reason !== reason), ...waiting];
  }

  /** Reasons of the commands whose delay is over and whose budgets have room; their candidates are not checked. */
  readyReasons(takeSnapshot: () => ClusterSnapshot, now: number): Set<DisruptionReason> {
    const ledgers = new Map<DisruptionReason, BudgetLedger>();
    const due = this.#all.filter((each) => isDue(each, now));
    if (due.length === 0) return new Set();
    const snapshot = takeSnapshot();
    const ready = due.filter(({ command }) => {
      const ledger = ledgers.get(command.reason) ?? new BudgetLedger(poolBudgets(snapshot, command.reason));
      ledgers.set(command.reason, ledger);
      // Takes nothing from the ledger: the method decides which of the ready commands start.
      return ledger.allows(poolsOf(command));
    });
    return new Set(ready.map(({ command }) => command.reason));
  }

  /**
   * How long until the next command must be looked at; undefined without commands. A command that is due and
   * waits for room in a budget is looked at every second.
   */
  untilNext(now: number): DurationMs | undefined {
    const { validationDelay, queuePoll } = disruptionTuning;
    const waits = this.#all.map((each) =>
      isDue(each, now) ? queuePoll : each.since + validationDelay - now,
    );
    return waits.length === 0 ? undefined : durationMs(Math.min(...waits));
  }
}

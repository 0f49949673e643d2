import { disruptionTuning, rejectionReasons } from '../api/index.ts';
import type { PlanSignal } from '../scheduling/index.ts';
import { BudgetLedger } from './budget.ts';
import type { Candidate } from './candidate.ts';
import type { ClusterSimulation } from './cluster-simulation.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';
import { disqualified, type RejectedCommand, type ValidationInputs } from './validation.ts';

/** A command that was found, and waits until it is looked at again and budgets have room for it. */
export interface WaitingCommand {
  readonly command: Command;
  /** When it was found. */
  readonly since: number;
}

/** Whether the cluster has had the time to change its mind. */
export function isDue({ since }: Pick<WaitingCommand, 'since'>, at: number): boolean {
  return at - since >= disruptionTuning.validationDelay;
}

export interface SortedCommands {
  /** Due, and within budgets all together. */
  readonly ready: readonly Command[];
  /** Their time has not come, or there is no room in a budget. */
  readonly waiting: readonly WaitingCommand[];
  /** Due, and not right any more, or too large for what budgets are now. */
  readonly rejected: readonly RejectedCommand[];
}

/** Which of the commands can go now; a later one may go before one that needs more of a budget than is left. */
export function sortWaiting(
  commands: readonly WaitingCommand[],
  inputs: ValidationInputs,
  isOpen: (candidate: Candidate) => boolean,
  ledger = new BudgetLedger(inputs.budgets),
): SortedCommands {
  const ready: Command[] = [];
  const waiting: WaitingCommand[] = [];
  const rejected: RejectedCommand[] = [];
  for (const each of commands) {
    const { command } = each;
    const pools = poolsOf(command);
    const reason = isDue(each, inputs.snapshot.at) ? disqualified(command, inputs, isOpen) : undefined;
    if (reason !== undefined) rejected.push({ command, reason });
    else if (!isDue(each, inputs.snapshot.at)) waiting.push(each);
    else if (!ledger.mayAllow(pools)) rejected.push({ command, reason: rejectionReasons.budget });
    else if (!ledger.allows(pools)) waiting.push(each);
    else {
      ledger.take(pools);
      ready.push(command);
    }
  }
  return { ready, waiting, rejected };
}

/**
 * Makes a simulation that of the cluster in which commands have been carried out. One that would not work now is left
 * out: it may work again by the time that it is due.
 */
export function* anticipate(
  commands: readonly Command[],
  simulation: ClusterSimulation,
): Generator<void, void, PlanSignal> {
  for (const { candidates, replacements } of commands) {
    const { removal, plan, failures } = yield* simulation.without(candidates, 'all');
    const most = replacements.length + simulation.newNodesAnyway;
    if (failures.length > 0 || plan.newNodes.length > most) continue;
    yield* simulation.settle({ removal, plan: { ...plan, newNodes: replacements.filter(isPlanned) } });
    yield;
  }
}

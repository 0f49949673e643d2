import { disruptionTuning, rejectionReasons } from '../api/index.ts';
import type { Steps } from '../yielding/index.ts';
import { BudgetLedger } from './budget.ts';
import type { Candidate } from './candidate.ts';
import type { ClusterSimulation } from './cluster-simulation.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';
import { disqualification, type RejectedCommand, type ValidationInputs } from './validation.ts';

/** A command that was found and waits for the validation delay and for room in budgets. */
export interface WaitingCommand {
  readonly command: Command;
  /** When it was found, in milliseconds since 1970. */
  readonly since: number;
}

/** Whether the validation delay has passed, in which the cluster may have changed. */
export function isDue({ since }: Pick<WaitingCommand, 'since'>, at: number): boolean {
  return at - since >= disruptionTuning.validationDelay;
}

export interface SortedCommands {
  /** Due, and allowed by budgets all together. */
  readonly ready: readonly Command[];
  /** Not due yet, or without room in a budget. */
  readonly waiting: readonly WaitingCommand[];
  /** Due, but no longer valid, or larger than its budget can ever allow. */
  readonly rejected: readonly RejectedCommand[];
}

/**
 * Splits commands into those to run now and others. A command may overtake an earlier one that needs more of
 * a budget than is left.
 */
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
    const reason = isDue(each, inputs.snapshot.at) ? disqualification(command, inputs, isOpen) : undefined;
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
 * Carries out waiting commands in a simulation, so that a search does not find commands that conflict with
 * them. A command that would fail now is skipped: it may be valid again when it is due.
 */
export function* anticipate(commands: readonly Command[], simulation: ClusterSimulation): Steps<void> {
  for (const { candidates, replacements } of commands) {
    const { removal, plan, failures } = yield* simulation.without(candidates, 'all');
    const maxNewNodes = replacements.length + simulation.newNodesForPending;
    if (failures.length > 0 || plan.newNodes.length > maxNewNodes) continue;
    yield* simulation.settle({ removal, plan: { ...plan, newNodes: replacements.filter(isPlanned) } });
    yield;
  }
}

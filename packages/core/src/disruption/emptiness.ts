import { consolidationTypes, disruptionReasons, rejectionReasons } from '../api/index.ts';
import type { BudgetLedger } from './budgets/budget.ts';
import { bySavingsRatio, type Candidate, totalPrice } from './candidates/candidate.ts';
import { type CandidateMessage, emptinessGate, gatedCandidates } from './candidates/gate.ts';
import type { Command } from './commands/command.ts';
import type { ValidationInputs } from './commands/validation.ts';
import { sortWaiting, type WaitingCommand } from './commands/waiting-command.ts';

export interface Emptiness {
  /** Empty candidates, whether or not a budget allows them. */
  readonly eligible: readonly Candidate[];
  /** Messages for events on candidates that emptiness does not consider. */
  readonly unconsolidatable: readonly CandidateMessage[];
  readonly command: Command | undefined;
}

/** Deletes all empty nodes that budgets allow in one command. No pods move, so nothing is simulated. */
export function deleteEmpty(candidates: readonly Candidate[], ledger: BudgetLedger): Emptiness {
  const { eligible, unconsolidatable } = gatedCandidates(candidates, emptinessGate);
  const allowed = withinBudget([...eligible].sort(bySavingsRatio), ledger);
  return { eligible, unconsolidatable, command: allowed.length === 0 ? undefined : emptyCommand(allowed) };
}

/** The candidates that budgets allow, in order; takes them from the ledger. */
function withinBudget(candidates: readonly Candidate[], ledger: BudgetLedger): readonly Candidate[] {
  return candidates.filter(({ nodePool }) => {
    const pools = [nodePool.metadata.name];
    const isAllowed = ledger.allows(pools);
    if (isAllowed) ledger.take(pools);
    return isAllowed;
  });
}

export interface EmptinessValidation {
  /** The nodes to delete now. */
  readonly command: Command | undefined;
  /** Nodes that wait for room in a budget. */
  readonly waiting: WaitingCommand | undefined;
  /** By how many nodes the metric of failed validations grows. */
  readonly dropped: number;
}

/** Checks empty nodes again after the validation delay; each is judged alone, so those still empty go on. */
export function validateEmptiness(
  { command, since }: WaitingCommand,
  inputs: ValidationInputs,
  ledger?: BudgetLedger,
): EmptinessValidation {
  const singles = command.candidates.map((candidate) => ({ command: emptyCommand([candidate]), since }));
  const { ready, waiting, rejected } = sortWaiting(
    singles,
    inputs,
    (now) => emptinessGate(now).isOpen,
    ledger,
  );
  // Counted as in Karpenter: nodes rejected by a budget or nomination, or all nodes if none is a candidate any more.
  const overBudget = rejected.filter(({ reason }) => reason === rejectionReasons.budget).length;
  const isChurn = rejected.length === singles.length && overBudget === 0;
  const later = emptyCommandOf(waiting.map((each) => each.command));
  return {
    command: emptyCommandOf(ready),
    waiting: later && { command: later, since },
    dropped: isChurn ? singles.length : overBudget,
  };
}

function emptyCommandOf(commands: readonly Command[]): Command | undefined {
  const candidates = commands.flatMap((command) => command.candidates);
  return candidates.length === 0 ? undefined : emptyCommand(candidates);
}

function emptyCommand(candidates: readonly Candidate[]): Command {
  return {
    reason: disruptionReasons.empty,
    consolidationType: consolidationTypes.empty,
    candidates,
    replacements: [],
    destinations: [],
    savings: totalPrice(candidates),
  };
}

import { consolidationTypes, disruptionReasons, rejectionReasons } from '../api/index.ts';
import type { BudgetLedger } from './budget.ts';
import { bySavingsRatio, type Candidate } from './candidate.ts';
import type { Command } from './command.ts';
import { type CandidateMessage, emptinessGate, gatedCandidates } from './gate.ts';
import type { ValidationInputs } from './validation.ts';
import { sortWaiting, type WaitingCommand } from './waiting-command.ts';

export interface Emptiness {
  /** Candidates that nothing runs on, budget or not. */
  readonly eligible: readonly Candidate[];
  readonly told: readonly CandidateMessage[];
  readonly command: Command | undefined;
}

/** All empty nodes that budgets let go, at once: there is nothing to move, so nothing to simulate. */
export function deleteEmpty(candidates: readonly Candidate[], ledger: BudgetLedger): Emptiness {
  const { eligible, told } = gatedCandidates(candidates, emptinessGate);
  const going = withinBudget([...eligible].sort(bySavingsRatio), ledger);
  return { eligible, told, command: going.length === 0 ? undefined : emptyCommand(going) };
}

/** The first ones that budgets let go; what is given counts. */
export function withinBudget(candidates: readonly Candidate[], ledger: BudgetLedger): readonly Candidate[] {
  return candidates.filter(({ nodePool }) => {
    const pools = [nodePool.metadata.name];
    const isAllowed = ledger.allows(pools);
    if (isAllowed) ledger.take(pools);
    return isAllowed;
  });
}

export interface EmptinessValidation {
  /** The nodes that can go now. */
  readonly command: Command | undefined;
  /** Those that budgets have no room for yet. */
  readonly waiting: WaitingCommand | undefined;
  /** How many nodes were called off. */
  readonly dropped: number;
}

/** Of empty nodes those go that are still empty, as far as budgets let them. */
export function validateEmptiness(
  { command, since }: WaitingCommand,
  inputs: ValidationInputs,
  ledger?: BudgetLedger,
): EmptinessValidation {
  const apart = command.candidates.map((candidate) => ({ command: emptyCommand([candidate]), since }));
  const { ready, waiting, rejected } = sortWaiting(apart, inputs, (now) => emptinessGate(now).isOpen, ledger);
  const held = rejected.filter(({ reason }) => reason === rejectionReasons.budget).length;
  const isChurn = rejected.length === apart.length && held === 0;
  const later = emptyCommandOf(waiting.map((each) => each.command));
  return {
    command: emptyCommandOf(ready),
    waiting: later && { command: later, since },
    dropped: isChurn ? apart.length : held,
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
    savings: candidates.reduce((sum, { price }) => sum + price, 0),
  };
}

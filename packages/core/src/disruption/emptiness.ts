import { consolidationTypes, disruptionReasons } from '../api/index.ts';
import type { BudgetLedger } from './budget.ts';
import { bySavingsRatio, type Candidate } from './candidate.ts';
import type { Command } from './command.ts';
import { emptinessGate, gatedCandidates, type Told } from './gate.ts';

export interface Emptiness {
  /** Candidates that nothing runs on, budget or not. */
  readonly eligible: readonly Candidate[];
  readonly told: readonly Told[];
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

export function emptyCommand(candidates: readonly Candidate[]): Command {
  return {
    reason: disruptionReasons.empty,
    consolidationType: consolidationTypes.empty,
    candidates,
    replacements: [],
    destinations: [],
    savings: candidates.reduce((sum, { price }) => sum + price, 0),
  };
}

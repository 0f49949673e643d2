import { consolidationTuning } from '../../api/index.ts';
import type { BudgetLedger } from '../budgets/budget.ts';
import type { Candidate } from './candidate.ts';

const maxSize = consolidationTuning.multiNodeBatchCap + 1;
/** Grows by about the square root of two, up to the largest number of nodes that one command may replace. */
const sizes = [1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 90, maxSize];

/**
 * The first candidates that one command may replace within the budgets: one, two, three, four, six ... and
 * all of them. Karpenter searches by bisection, but savings do not grow steadily with the number, so bisection may miss
 * the best (ADR 0025).
 */
export function growingPrefixes(
  candidates: readonly Candidate[],
  ledger: BudgetLedger,
): readonly (readonly Candidate[])[] {
  const within = withinBudget(candidates, ledger).slice(0, maxSize);
  const tried = new Set([...sizes.filter((size) => size < within.length), within.length]);
  return [...tried].filter((size) => size > 0).map((size) => within.slice(0, size));
}

function withinBudget(candidates: readonly Candidate[], ledger: BudgetLedger): readonly Candidate[] {
  const used = new Map<string, number>();
  return candidates.filter(({ nodePool }) => {
    const { name } = nodePool.metadata;
    const count = (used.get(name) ?? 0) + 1;
    if (count > ledger.most(name)) return false;
    used.set(name, count);
    return true;
  });
}

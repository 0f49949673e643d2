import type { Budget, NodePool } from '../../api/index.ts';
import {
  type DurationMs,
  isWindowOpen,
  nextAfter,
  nsToDurationMs,
  parseDuration,
  parseSchedule,
} from '../../values/index.ts';
import { budgetsOf, isActive, nodesOf } from './budget.ts';

/** One budget of a NodePool as it is at a moment. */
export interface BudgetStatus {
  readonly budget: Budget;
  /** Whether it limits disruption now. A budget with an invalid schedule or duration does: it allows nothing. */
  readonly isActive: boolean;
  /** Most nodes that may be disrupted at a time under it; absent while it is not active. */
  readonly allowed?: number;
  /** When its window next opens or closes; absent if that never happens. */
  readonly changesAt?: number;
}

/** The budgets of a NodePool in their order, each on its own. Percentages are of `total` nodes. */
export function budgetStatuses(nodePool: NodePool, total: number, at: number): readonly BudgetStatus[] {
  return budgetsOf(nodePool).map((budget) => {
    const isWindowActive = isActive(budget, at);
    if (isWindowActive === undefined) return { budget, isActive: true, allowed: 0 };
    const changesAt = nextChange(budget, at);
    // An empty list of reasons, unlike an absent one, matches no disruption.
    const isLimiting = isWindowActive && budget.reasons?.length !== 0;
    return {
      budget,
      isActive: isLimiting,
      ...(isLimiting && { allowed: nodesOf(budget.nodes, total) }),
      ...(changesAt !== undefined && { changesAt }),
    };
  });
}

function nextChange({ schedule, duration }: Budget, at: number): number | undefined {
  if (schedule === undefined) return undefined;
  const parsed = parseSchedule(schedule);
  // `@every` counts from the time of evaluation, so such a window is always or never open.
  if (parsed.kind === 'interval') return undefined;
  const length = nsToDurationMs(parseDuration(duration ?? '0s'));
  return isWindowOpen(parsed, length, at) ? closingTime(parsed, length, at) : nextAfter(parsed, at);
}

/** Windows that overlap for longer than this many hits are taken for one that never closes. */
const maxOverlaps = 400;

/** When the open window closes; windows that overlap or touch are one. */
function closingTime(
  schedule: ReturnType<typeof parseSchedule>,
  length: DurationMs,
  at: number,
): number | undefined {
  let hit = nextAfter(schedule, at - length);
  for (let overlaps = 0; overlaps < maxOverlaps && hit !== undefined; overlaps += 1) {
    const next = nextAfter(schedule, hit);
    if (next === undefined || next > hit + length) return hit + length;
    hit = next;
  }
  return undefined;
}

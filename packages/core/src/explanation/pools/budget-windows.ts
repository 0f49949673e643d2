import type { Budget, DisruptionReason, NodePool } from '../../api/index.ts';
import { allowedDisruptions } from '../../disruption/index.ts';
import { isWindowOpen, nextAfter, nsToDurationMs, parseDuration, parseSchedule } from '../../values/index.ts';

/** Whether a budget limits now, and when that changes. */
export interface BudgetWindow {
  readonly budget: Budget;
  readonly isOpen: boolean;
  /** When the window opens or closes next, in milliseconds since 1970; absent if it never does. */
  readonly changesAt?: number;
}

/** Windows that follow each other closer than they last never close; this many are looked at. */
const maxOverlaps = 1_000;
/** A pool has a few windows a day at most; later changes are of no interest. */
const maxChanges = 200;

export function budgetWindows({ spec }: NodePool, at: number): readonly BudgetWindow[] {
  return (spec.disruption?.budgets ?? []).map((budget) => windowOf(budget, at));
}

function windowOf(budget: Budget, at: number): BudgetWindow {
  const { schedule, duration } = budget;
  if (schedule === undefined || duration === undefined) return { budget, isOpen: true };
  try {
    const parsed = parseSchedule(schedule);
    const length = nsToDurationMs(parseDuration(duration));
    const isOpen = isWindowOpen(parsed, length, at);
    const changesAt = isOpen ? closesAt(parsed, length, at) : nextAfter(parsed, at);
    return { budget, isOpen, ...(changesAt !== undefined && { changesAt }) };
  } catch {
    // A schedule that cannot be read blocks its pool, so it counts as a window that never closes.
    return { budget, isOpen: true };
  }
}

/** The end of the windows that are open now and of those that open before they close. */
function closesAt(
  schedule: ReturnType<typeof parseSchedule>,
  length: ReturnType<typeof nsToDurationMs>,
  at: number,
): number | undefined {
  let opened = nextAfter(schedule, at - length);
  for (let count = 0; opened !== undefined && count < maxOverlaps; count++) {
    const end: number = opened + length;
    const next = nextAfter(schedule, opened);
    if (next === undefined || next > end) return end;
    opened = next;
  }
  return undefined;
}

export interface DisruptedCount {
  /** Nodes of the pool. */
  readonly total: number;
  /** Those that count against budgets already. */
  readonly consuming: number;
}

/** When budgets allow one more disruption, if no node becomes ready or is removed until then; undefined if never. */
export function nextAllowed(
  pool: NodePool,
  reason: DisruptionReason,
  { total, consuming, at }: DisruptedCount & { readonly at: number },
): number | undefined {
  let time: number | undefined = at;
  for (let count = 0; time !== undefined && count < maxChanges; count++) {
    if (allowedDisruptions(pool, reason, total, time) > consuming) return time;
    time = nextChange(pool, time);
  }
  return undefined;
}

function nextChange(pool: NodePool, at: number): number | undefined {
  const changes = budgetWindows(pool, at).flatMap(({ changesAt }) => changesAt ?? []);
  const later = changes.filter((time) => time > at);
  return later.length === 0 ? undefined : Math.min(...later);
}

import type { Budget } from '../../api/index.ts';
import {
  type DurationMs,
  nextAfter,
  nsToDurationMs,
  parseDuration,
  parseSchedule,
} from '../../values/index.ts';

const msPerDay = 24 * 3600 * 1000;
/** Longer than every cycle of a cron schedule but leap years. */
const horizonMs = 400 * msPerDay;
/** A month of windows of a minute: what holds so long without a gap holds always. */
const maxWindows = 45_000;

/** The schedule of a budget and the length of its windows. */
type ReadBudget =
  | { readonly schedule: ReturnType<typeof parseSchedule>; readonly span: DurationMs }
  | 'unreadable';

/** Whether at every moment from `at` on at least one of the budgets holds. */
export function coversAlways(budgets: readonly Budget[], at: number): boolean {
  if (budgets.some(({ schedule }) => schedule === undefined)) return true;
  const read = budgets.map(readBudget);
  let moment = at;
  for (let step = 0; step < maxWindows && moment < at + horizonMs; step += 1) {
    const ends = read.flatMap((budget) => openUntil(budget, moment));
    if (ends.length === 0) return false;
    moment = Math.max(moment + 1, ...ends);
  }
  return true;
}

/** Whether the window of the budget opens at all, or undefined if its schedule cannot be read. */
export function opensEver({ schedule, duration }: Budget, at: number): boolean | undefined {
  if (schedule === undefined) return true;
  try {
    const hasLength = parseDuration(duration ?? '0s') > 0n;
    return hasLength && nextAfter(parseSchedule(schedule), at) !== undefined;
  } catch {
    return undefined;
  }
}

function readBudget({ schedule, duration }: Budget): ReadBudget {
  try {
    const span = nsToDurationMs(parseDuration(duration ?? '0s'));
    return { schedule: parseSchedule(schedule ?? ''), span };
  } catch {
    return 'unreadable';
  }
}

/** The end of the window that is open at a moment, unless another hit prolongs it; empty if none is open. */
function openUntil(budget: ReadBudget, at: number): readonly number[] {
  // An unreadable schedule blocks everything, as it does in the controllers.
  if (budget === 'unreadable') return [Number.POSITIVE_INFINITY];
  const hit = nextAfter(budget.schedule, at - budget.span);
  return hit === undefined || hit > at ? [] : [hit + budget.span];
}

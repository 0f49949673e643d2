import type { Budget } from '../../api/index.ts';
import { nextAfter, nsToDurationMs, parseDuration, parseSchedule } from '../../values/index.ts';

const msPerDay = 24 * 3600 * 1000;
/** Longer than every cycle of a cron schedule but leap years. */
const horizonMs = 400 * msPerDay;
/** A month of windows of a minute: what holds so long without a gap holds always. */
const mostWindows = 45_000;

type Window = { readonly until: number } | 'closed' | 'unreadable';

/** Whether at every moment from `at` on at least one of the budgets holds. */
export function coversAlways(budgets: readonly Budget[], at: number): boolean {
  if (budgets.some(({ schedule }) => schedule === undefined)) return true;
  let moment = at;
  for (let step = 0; step < mostWindows && moment < at + horizonMs; step += 1) {
    const ends = budgets.map((budget) => windowAt(budget, moment)).flatMap(endOf);
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

function endOf(window: Window): readonly number[] {
  if (window === 'closed') return [];
  // An unreadable schedule blocks everything, as it does in the controllers.
  return window === 'unreadable' ? [Number.POSITIVE_INFINITY] : [window.until];
}

/** The window that is open at a moment, until it closes unless another hit prolongs it. */
function windowAt({ schedule, duration }: Budget, at: number): Window {
  try {
    const span = nsToDurationMs(parseDuration(duration ?? '0s'));
    const parsed = parseSchedule(schedule ?? '');
    const hit = nextAfter(parsed, at - span);
    return hit === undefined || hit > at ? 'closed' : { until: hit + span };
  } catch {
    return 'unreadable';
  }
}

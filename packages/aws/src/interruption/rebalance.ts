import { hours } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

/** The replacement of one NodeClaim. Without `replacedAt` it waits for the hourly limit or for room. */
export interface Move {
  readonly noticedAt: Instant;
  readonly replacedAt?: Instant;
}

/** State between reconciles. Moves are keyed by NodeClaim name, in the order of their recommendations. */
export interface RebalanceState {
  readonly moves: ReadonlyMap<string, Move>;
  /** Start times of the replacements in the last hour, for the hourly limit. */
  readonly starts: readonly Instant[];
}

export const noMoves: RebalanceState = { moves: new Map(), starts: [] };

/** Observed state of a NodeClaim and its replacement. */
export interface MoveView {
  readonly claim: 'staying' | 'leaving';
  /** Whether the limits of the NodePool allow both. */
  readonly hasRoom: boolean;
  readonly replacement: 'absent' | 'starting' | 'ready';
}

/** Limits on replacements; see `rebalanceTuning` and the setting rebalance-replacements-per-hour. */
export interface RebalanceLimits {
  readonly perHour: number;
  readonly noticeLifetime: DurationMs;
  /** How long the cache may take to show a replacement after it was created. */
  readonly appearance: DurationMs;
}

export interface RebalanceStep {
  /** Create a replacement, drain the old node, or delete the replacement. */
  readonly step: 'replace' | 'leave' | 'cancel';
  readonly claim: string;
}

/** Adds a recommendation; a repeated one restarts its lifetime. */
export function withNotice(state: RebalanceState, claim: string, at: Instant): RebalanceState {
  const move = { ...state.moves.get(claim), noticedAt: at };
  return { ...state, moves: new Map(state.moves).set(claim, move) };
}

/**
 * Decides the next steps. Only observed state ends a move (the old NodeClaim is being deleted, or the
 * recommendation has passed and the replacement is gone), so that a failed step is repeated.
 */
export function rebalance(
  state: RebalanceState,
  view: (claim: string) => MoveView,
  { now, ...limits }: RebalanceLimits & { readonly now: Instant },
): { readonly state: RebalanceState; readonly steps: readonly RebalanceStep[] } {
  const moves = new Map<string, Move>();
  const starts = state.starts.filter((at) => now < at + hours(1));
  const steps: RebalanceStep[] = [];
  for (const [claim, move] of state.moves) {
    const mayStart = starts.length < limits.perHour;
    const next = advance(move, view(claim), { now, mayStart, ...limits });
    if (next === 'over') continue;
    moves.set(claim, next === 'replace' ? { ...move, replacedAt: now } : move);
    if (next !== 'wait') steps.push({ step: next, claim });
    if (next === 'replace') starts.push(now);
  }
  return { state: { moves, starts }, steps };
}

/** The next step of one move. A ready replacement is used even after the recommendation has passed. */
function advance(
  { noticedAt, replacedAt }: Move,
  { claim, hasRoom, replacement }: MoveView,
  when: RebalanceLimits & { readonly now: Instant; readonly mayStart: boolean },
): RebalanceStep['step'] | 'wait' | 'over' {
  if (claim === 'leaving') return 'over';
  if (replacement === 'ready') return 'leave';
  const hasPassed = when.now >= noticedAt + when.noticeLifetime;
  if (replacement === 'starting') return hasPassed ? 'cancel' : 'wait';
  if (hasPassed) return 'over';
  const mayAppear = replacedAt !== undefined && when.now < replacedAt + when.appearance;
  return !mayAppear && when.mayStart && hasRoom ? 'replace' : 'wait';
}

import { hours } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

/** Away from one NodeClaim. Without a replacement it waits for its turn. */
export interface Move {
  readonly noticedAt: Instant;
  readonly replacedAt?: Instant;
}

/** Everything that is remembered of notices; moves are by the names of the NodeClaims, in the order of notices. */
export interface RebalanceState {
  readonly moves: ReadonlyMap<string, Move>;
  /** When replacements were asked for, as far as the bound still counts them. */
  readonly starts: readonly Instant[];
}

export const noMoves: RebalanceState = { moves: new Map(), starts: [] };

/** How a NodeClaim that is to be replaced looks, and its replacement. */
export interface MoveView {
  readonly claim: 'staying' | 'leaving';
  /** The limits of the NodePool leave room for both. */
  readonly hasRoom: boolean;
  readonly replacement: 'absent' | 'starting' | 'ready';
}

export interface RebalanceLimits {
  readonly perHour: number;
  readonly noticeLifetime: DurationMs;
  /** How long a replacement may go unseen after it was asked for. */
  readonly appearance: DurationMs;
}

export interface RebalanceStep {
  /** Ask for a replacement; leave the old node for it; give the replacement up. */
  readonly step: 'replace' | 'leave' | 'cancel';
  readonly claim: string;
}

/** A notice that comes again renews the first. */
export function withNotice(state: RebalanceState, claim: string, at: Instant): RebalanceState {
  const move = { ...state.moves.get(claim), noticedAt: at };
  return { ...state, moves: new Map(state.moves).set(claim, move) };
}

/**
 * What to do now. A step that failed comes again, since only what is seen ends a move: the old NodeClaim leaving, or
 * after the notice has passed, the replacement gone.
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

import { hours } from '@karpenter/core/api';
import type { DurationMs } from '@karpenter/core/values';
import type { Instant } from '@karpenter/kube/runtime';

/**
 * A rebalance recommendation for one NodeClaim. Without
 * `replacedAt` it waits for the hourly limit or for room.
 */
interface Recommendation {
  readonly receivedAt: Instant;
  readonly replacedAt?: Instant;
}

/** State between reconciles. Recommendations are keyed by NodeClaim name, in the order they came. */
export interface RebalanceState {
  readonly recommendations: ReadonlyMap<string, Recommendation>;
  /** Start times of the replacements in the last hour, for the hourly limit. */
  readonly starts: readonly Instant[];
}

export const noRecommendations: RebalanceState = { recommendations: new Map(), starts: [] };

/** Observed state of a NodeClaim and its replacement. */
export interface RecommendationView {
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
export function withRecommendation(state: RebalanceState, claim: string, at: Instant): RebalanceState {
  const recommendation = { ...state.recommendations.get(claim), receivedAt: at };
  return { ...state, recommendations: new Map(state.recommendations).set(claim, recommendation) };
}

/**
 * Decides the next steps. Only observed state ends a recommendation (the old NodeClaim is being deleted, or
 * the recommendation has passed and the replacement is gone), so that a failed step is repeated.
 */
export function rebalance(
  state: RebalanceState,
  view: (claim: string) => RecommendationView,
  { now, ...limits }: RebalanceLimits & { readonly now: Instant },
): { readonly state: RebalanceState; readonly steps: readonly RebalanceStep[] } {
  const recommendations = new Map<string, Recommendation>();
  const starts = state.starts.filter((at) => now < at + hours(1));
  const steps: RebalanceStep[] = [];
  for (const [claim, recommendation] of state.recommendations) {
    const mayStart = starts.length < limits.perHour;
    const next = advance(recommendation, view(claim), { now, mayStart, ...limits });
    if (next === 'over') continue;
    recommendations.set(claim, next === 'replace' ? { ...recommendation, replacedAt: now } : recommendation);
    if (next !== 'wait') steps.push({ step: next, claim });
    if (next === 'replace') starts.push(now);
  }
  return { state: { recommendations, starts }, steps };
}

/**
 * The next step of one recommendation. A ready replacement is used even after the recommendation has passed.
 */
function advance(
  { receivedAt, replacedAt }: Recommendation,
  { claim, hasRoom, replacement }: RecommendationView,
  when: RebalanceLimits & { readonly now: Instant; readonly mayStart: boolean },
): RebalanceStep['step'] | 'wait' | 'over' {
  if (claim === 'leaving') return 'over';
  if (replacement === 'ready') return 'leave';
  const hasPassed = when.now >= receivedAt + when.noticeLifetime;
  if (replacement === 'starting') return hasPassed ? 'cancel' : 'wait';
  if (hasPassed) return 'over';
  const mayAppear = replacedAt !== undefined && when.now < replacedAt + when.appearance;
  return !mayAppear && when.mayStart && hasRoom ? 'replace' : 'wait';
}

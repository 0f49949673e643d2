import { consolidationTuning } from '../api/index.ts';
import type { ClusterSnapshot } from '../state/index.ts';
import { rescheduleCost } from '../state/index.ts';
import { byNodePool } from './by-node-pool.ts';
import type { Candidate, CandidateJudge } from './candidate.ts';

/** What all nodes of a pool cost, and what it would take to move all of their pods. */
export interface PoolTotals {
  readonly price: number;
  readonly disruption: number;
}

/** How a move looks to a pool that weighs savings against disturbance. */
export interface MoveScore {
  readonly nodePool: string;
  readonly policy: string;
  readonly isApproved: boolean;
  /** Share of the pool's cost saved, by share of its pods disturbed; only pools of policy Balanced look at it. */
  readonly score?: number;
  readonly savingsShare: number;
  readonly disruptionShare: number;
}

const threshold = 1 / consolidationTuning.balancedK;

/** All nodes count, candidates or not. */
export function poolTotals(
  { nodeStates }: ClusterSnapshot,
  judge: CandidateJudge,
): ReadonlyMap<string, PoolTotals> {
  const totals = new Map<string, PoolTotals>();
  for (const state of nodeStates) {
    const name = state.view.nodePool;
    if (name === undefined || state.nodeClaim === undefined) continue;
    const { price, disruption } = totals.get(name) ?? { price: 0, disruption: 0 };
    totals.set(name, {
      price: price + judge.priceOf(state),
      disruption: disruption + rescheduleCost(state.pods),
    });
  }
  return totals;
}

/** What every pool that loses nodes says to a move. */
export function scoreMove(
  candidates: readonly Candidate[],
  savings: number,
  totals: ReadonlyMap<string, PoolTotals>,
): readonly MoveScore[] {
  const given = candidates.reduce((sum, { price }) => sum + price, 0);
  const byPool = byNodePool(candidates);
  return [...byPool].map(([nodePool, own]) => {
    const policy = own[0]?.nodePool.spec.disruption.consolidationPolicy ?? 'WhenEmptyOrUnderutilized';
    const price = own.reduce((sum, candidate) => sum + candidate.price, 0);
    const disruption = own.reduce((sum, { cost }) => sum + cost, 0);
    const total = totals.get(nodePool) ?? { price: 0, disruption: 0 };
    const share = given === 0 ? 0 : (savings * price) / given;
    const shares = {
      savingsShare: total.price === 0 ? 0 : share / total.price,
      disruptionShare: total.disruption === 0 ? 0 : disruption / total.disruption,
    };
    if (policy !== 'Balanced') return { nodePool, policy, isApproved: true, ...shares };
    const score = scoreOf(shares, total, savings);
    return { nodePool, policy, isApproved: score >= threshold, score, ...shares };
  });
}

function scoreOf(
  { savingsShare, disruptionShare }: Pick<MoveScore, 'savingsShare' | 'disruptionShare'>,
  total: PoolTotals,
  savings: number,
): number {
  if (total.price === 0 || total.disruption === 0 || savings <= 0) return 0;
  return disruptionShare === 0 ? Number.POSITIVE_INFINITY : savingsShare / disruptionShare;
}

/** Whether not even giving up the node without any replacement would be worth it. Pools without totals cannot tell. */
export function isHopeless(candidate: Candidate, totals: ReadonlyMap<string, PoolTotals>): boolean {
  const total = totals.get(candidate.nodePool.metadata.name);
  if (total === undefined || total.price === 0 || total.disruption === 0) return false;
  return scoreMove([candidate], candidate.price, totals).some(({ isApproved }) => !isApproved);
}

/** What the event `ConsolidationApproved` says. */
export function approvalText({ score = 0, savingsShare, disruptionShare }: MoveScore): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)}%`;
  return `score ${score.toFixed(2)} >= threshold ${threshold.toFixed(2)} (k: ${consolidationTuning.balancedK}, savings ${percent(savingsShare)}, disruption ${percent(disruptionShare)})`;
}

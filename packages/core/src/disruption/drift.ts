import {
  compareTimestamps,
  consolidationTypes,
  disruptionReasons,
  getCondition,
  type NodePool,
  nodeClaimConditions,
} from '../api/index.ts';
import { grantedReplicas } from '../provisioning/index.ts';
import type { PlanSignal } from '../scheduling/index.ts';
import type { PoolState } from '../state/index.ts';
import type { BudgetLedger } from './budget.ts';
import { byNodePool } from './by-node-pool.ts';
import type { Candidate } from './candidate.ts';
import { type ClusterSimulation, failuresText, type Outcome } from './cluster-simulation.ts';
import type { Command, Destination } from './command.ts';
import type { CandidateMessage } from './gate.ts';
import type { PriceBook } from './price-book.ts';

export interface DriftedCandidates {
  readonly isStatic: boolean;
}

/** Candidates that no longer are what they should be, the longest drifted first; those that nobody has to leave before all others. */
export function driftedCandidates(
  candidates: readonly Candidate[],
  { isStatic }: DriftedCandidates,
): readonly Candidate[] {
  return candidates
    .filter(({ nodePool }) => (nodePool.spec.replicas !== undefined) === isStatic)
    .filter((candidate) => driftedSince(candidate) !== undefined)
    .sort(
      (a, b) =>
        Number(a.reschedulable.length > 0) - Number(b.reschedulable.length > 0) ||
        compareTimestamps(driftedSince(a) ?? '', driftedSince(b) ?? '') ||
        (a.name < b.name ? -1 : 1),
    );
}

function driftedSince({ nodeClaim }: Candidate): string | undefined {
  const drifted = getCondition(
    { conditions: nodeClaim.status?.conditions ?? [] },
    nodeClaimConditions.drifted,
  );
  return drifted?.status === 'True' ? drifted.lastTransitionTime : undefined;
}

export interface DriftSearch {
  readonly commands: readonly Command[];
  /** Candidates whose pods would find no place, and what they are told. */
  readonly blocked: readonly CandidateMessage[];
}

/**
 * Replaces drifted nodes, each by a command of its own, as many as budgets allow: every one is simulated with the
 * earlier ones carried out.
 */
export function* replaceDrifted(
  candidates: readonly Candidate[],
  ledger: BudgetLedger,
  simulation: ClusterSimulation,
  prices: PriceBook,
): Generator<void, DriftSearch, PlanSignal> {
  const commands: Command[] = [];
  const blocked: CandidateMessage[] = [];
  const taken = new Set<string>();
  for (const candidate of candidates) {
    const pools = [candidate.nodePool.metadata.name];
    if (taken.has(candidate.name) || !ledger.allows(pools)) continue;
    const outcome = yield* simulation.without([candidate], 'all');
    if (outcome.failures.length > 0) {
      blocked.push({ candidate, message: failuresText(outcome.failures) });
      continue;
    }
    ledger.take(pools);
    yield* simulation.settle(outcome);
    for (const { node } of destinationsOf(outcome)) taken.add(node);
    commands.push(driftCommand(candidate, outcome, prices));
    yield;
  }
  return { commands, blocked };
}

function driftCommand(candidate: Candidate, outcome: Outcome, prices: PriceBook): Command {
  const { newNodes } = outcome.plan;
  const spent = newNodes.reduce((sum, planned) => sum + prices.launchPrice(prices.replacement(planned)), 0);
  return {
    reason: disruptionReasons.drifted,
    consolidationType: consolidationTypes.drift,
    candidates: [candidate],
    replacements: newNodes,
    destinations: destinationsOf(outcome),
    savings: candidate.price - spent,
  };
}

/** Where moved pods are expected. */
export function destinationsOf({ plan, removal }: Pick<Outcome, 'plan' | 'removal'>): readonly Destination[] {
  const moved = new Map(removal.pods.map((pod) => [pod.metadata.uid, pod]));
  return plan.placements
    .map(({ node, pods }) => ({ node, pods: pods.flatMap((uid) => moved.get(uid) ?? []) }))
    .filter(({ pods }) => pods.length > 0);
}

export interface StaticDriftInputs {
  readonly candidates: readonly Candidate[];
  readonly ledger: BudgetLedger;
  readonly pools: ReadonlyMap<string, PoolState>;
}

/** Nodes of static pools are replaced one for one, as many at once as budgets and limits leave room for. */
export function replaceStatic({ candidates, ledger, pools }: StaticDriftInputs): readonly Command[] {
  const byPool = byNodePool(candidates);
  return [...byPool].flatMap(([name, own]) => {
    const [first] = own;
    const pool = pools.get(name);
    if (first === undefined || pool === undefined || isScaledDown(first.nodePool, pool)) return [];
    const headroom = grantedReplicas(first.nodePool, pool, own.length);
    return own.slice(0, Math.min(ledger.left(name), headroom)).map((candidate) => {
      ledger.take([name]);
      return staticCommand(candidate);
    });
  });
}

/** With more nodes than wanted, drifted ones are not replaced but left to be taken away. */
function isScaledDown({ spec }: NodePool, { claims }: PoolState): boolean {
  return claims.active.length + claims.pendingDisruption.length > (spec.replicas ?? 0);
}

function staticCommand(candidate: Candidate): Command {
  return {
    reason: disruptionReasons.drifted,
    consolidationType: consolidationTypes.drift,
    candidates: [candidate],
    replacements: [{ nodePool: candidate.nodePool.metadata.name, isStatic: true }],
    destinations: [],
    savings: 0,
  };
}

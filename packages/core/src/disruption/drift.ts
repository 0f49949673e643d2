import {
  compareTimestamps,
  consolidationTypes,
  disruptionReasons,
  getCondition,
  type NodePool,
  nodeClaimConditions,
} from '../api/index.ts';
import { grantedReplicas } from '../provisioning/index.ts';
import type { PoolState } from '../state/index.ts';
import type { Steps } from '../yielding/index.ts';
import type { BudgetLedger } from './budgets/budget.ts';
import { byNodePool } from './budgets/by-node-pool.ts';
import type { Candidate } from './candidates/candidate.ts';
import type { CandidateMessage } from './candidates/gate.ts';
import { type ClusterSimulation, failuresText, type RemovalOutcome } from './cluster-simulation.ts';
import type { Command, Destination } from './commands/command.ts';
import type { PriceBook } from './consolidation/price-book.ts';

export interface DriftedCandidates {
  readonly isStatic: boolean;
}

/** Drifted candidates in Karpenter's order: nodes without reschedulable pods, then the longest drifted first. */
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
  /** Candidates whose pods would not be scheduled, with the event message. */
  readonly blocked: readonly CandidateMessage[];
}

/**
 * Replaces drifted nodes as far as budgets allow, one command per node. Each is simulated in the cluster as it will be
 * after the earlier ones. Unlike in consolidation, pods may go to nodes within `consolidateAfter`, and prices do not
 * matter, as in Karpenter.
 */
export function* replaceDrifted(
  candidates: readonly Candidate[],
  ledger: BudgetLedger,
  simulation: ClusterSimulation,
  prices: PriceBook,
): Steps<DriftSearch> {
  const commands: Command[] = [];
  const blocked: CandidateMessage[] = [];
  const destinations = new Set<string>();
  for (const candidate of candidates) {
    const pools = [candidate.nodePool.metadata.name];
    if (destinations.has(candidate.name) || !ledger.allows(pools)) continue;
    const outcome = yield* simulation.without([candidate], 'all');
    if (outcome.failures.length > 0) {
      blocked.push({ candidate, message: failuresText(outcome.failures) });
      continue;
    }
    ledger.take(pools);
    yield* simulation.settle(outcome);
    // A node that receives pods must stay until they have moved, so it is not replaced in the same pass.
    for (const { node } of destinationsOf(outcome)) destinations.add(node);
    commands.push(driftCommand(candidate, outcome, prices));
    yield;
  }
  return { commands, blocked };
}

function driftCommand(candidate: Candidate, outcome: RemovalOutcome, prices: PriceBook): Command {
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

/** The existing nodes that moved pods are expected to be bound to. */
export function destinationsOf({
  plan,
  removal,
}: Pick<RemovalOutcome, 'plan' | 'removal'>): readonly Destination[] {
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

/** Replaces drifted nodes of static NodePools one for one, as many as budgets and the node limit allow. */
export function replaceStatic({ candidates, ledger, pools }: StaticDriftInputs): readonly Command[] {
  const byPool = byNodePool(candidates);
  return [...byPool].flatMap(([name, ofPool]) => {
    const [first] = ofPool;
    const pool = pools.get(name);
    if (first === undefined || pool === undefined || isScaledDown(first.nodePool, pool)) return [];
    const headroom = grantedReplicas(first.nodePool, pool, ofPool.length);
    return ofPool.slice(0, Math.min(ledger.left(name), headroom)).map((candidate) => {
      ledger.take([name]);
      return staticCommand(candidate);
    });
  });
}

/** With more nodes than replicas, drifted nodes are not replaced: deprovisioning removes the surplus. */
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

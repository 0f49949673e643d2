import { consolidationTuning } from '../../api/index.ts';
import { inSteps, type Steps } from '../../yielding/index.ts';
import type { BudgetLedger } from '../budgets/budget.ts';
import { byNodePool } from '../budgets/by-node-pool.ts';
import { type Candidate, totalPrice } from '../candidates/candidate.ts';
import { growingPrefixes } from '../candidates/candidate-prefixes.ts';
import type { ClusterSimulation, RemovalOutcome } from '../cluster-simulation.ts';
import { isEnabled, poolOptions } from '../pool-options.ts';
import type { ConsolidationVerdict, DecisionContext } from './consolidation-decision.ts';
import { movedPods, netSavings } from './moved-pods.ts';
import { decideRegrouping, nodesToKeep } from './regrouping-decision.ts';
import { isWorthReplacing, meetsMinimumSavings, type SavingsContext } from './savings-thresholds.ts';

export interface RegroupingInputs extends SavingsContext {
  readonly candidates: readonly Candidate[];
  readonly ledger: BudgetLedger;
  /** The cluster with the commands that are already decided. */
  readonly simulation: ClusterSimulation;
  readonly decision: DecisionContext;
}

/** Nodes whose pods cost less on other nodes, of which at least one is new. */
export interface Regrouping {
  readonly candidates: readonly Candidate[];
  readonly outcome: RemovalOutcome;
  readonly verdict: ConsolidationVerdict;
  /** In dollars per hour. */
  readonly savings: number;
}

/** Stop trying larger prefixes after this many in a row that are no better than the best so far. */
const maxMisses = 3;
/** How often a prefix is planned again without nodes that the plan would launch again. */
const maxRounds = 3;

/**
 * Finds the nodes to replace together by as many cheaper ones as needed, such as a large node whose few pods
 * fit on two small ones (ADR 0058). Nodes that cost most for what their pods are worth come first, over all
 * NodePools and within each; of growing prefixes the one that saves most wins, less a price for each pod that
 * moves.
 */
export function* bestRegrouping(inputs: RegroupingInputs): Steps<Regrouping | undefined> {
  const { simulation } = inputs;
  // Nodes for pending pods would count as replacements, and their price as an expense.
  if (simulation.newNodesForPending > 0) return undefined;
  const candidates = yield* byPriceForWorth(inputs);
  const pools = [...byNodePool(candidates).values()];
  let best: Regrouping | undefined;
  for (const group of pools.length > 1 ? [candidates, ...pools] : pools)
    best = better(best, yield* bestPrefix(group, inputs));
  return best;
}

/**
 * Finds several cheaper nodes for the pods of one node that one other cannot replace.
 *
 * @param alone the plan without the node: it shows which pods need new nodes, and if it has several, it is the cheapest
 */
export function* regroupingOfNode(
  candidate: Candidate,
  alone: RemovalOutcome,
  inputs: RegroupingInputs,
): Steps<Regrouping | undefined> {
  const { simulation } = inputs;
  if (simulation.newNodesForPending > 0 || !isEnabled(candidate.nodePool, poolOptions.regrouping))
    return undefined;
  // Some of its pods have no place at all.
  if (alone.plan.newNodes.length === 0) return undefined;
  const candidates = [candidate];
  const savings = candidate.price - simulation.leastPriceOn(alone);
  if (!isPossible({ candidates, savings }, inputs)) return undefined;
  return yield* regroupingOf(candidates, inputs, alone.plan.newNodes.length > 1 ? alone : undefined);
}

/** Highest price for the worth of the pods first; `worthOf` is what they would cost on a node that they fill. */
function* byPriceForWorth({ candidates, simulation }: RegroupingInputs): Steps<readonly Candidate[]> {
  const enabled = candidates.filter(({ nodePool }) => isEnabled(nodePool, poolOptions.regrouping));
  const ratioOf = (candidate: Candidate) =>
    [candidate, candidate.price / simulation.worthOf(candidate)] as const;
  const ratios = new Map(yield* inSteps(enabled, ratioOf));
  return [...ratios.keys()].sort(
    (a, b) => (ratios.get(b) ?? 0) - (ratios.get(a) ?? 0) || (a.name < b.name ? -1 : 1),
  );
}

function* bestPrefix(group: readonly Candidate[], inputs: RegroupingInputs): Steps<Regrouping | undefined> {
  let best: Regrouping | undefined;
  let misses = 0;
  for (const prefix of growingPrefixes(group, inputs.ledger)) {
    if (misses === maxMisses) break;
    if (!mayImprove(prefix, best, inputs)) continue;
    const found = better(best, yield* regroupingOf(prefix, inputs));
    misses = found === best ? misses + 1 : 0;
    best = found;
    yield;
  }
  return best;
}

/** Whether the lower bound of the price of new nodes leaves enough savings; a plan takes a thousand times longer. */
function mayImprove(
  prefix: readonly Candidate[],
  best: Regrouping | undefined,
  inputs: RegroupingInputs,
): boolean {
  const savings = totalPrice(prefix) - inputs.simulation.leastPrice(prefix);
  const possible = { candidates: prefix, savings };
  return isPossible(possible, inputs) && (best === undefined || isWorthGrowing(best, possible));
}

function isPossible(possible: Grown, inputs: RegroupingInputs): boolean {
  return meetsMinimumSavings(possible) && isWorthReplacing(possible, inputs);
}

/**
 * What replacing the candidates saves. A candidate of a type that the plan would launch again stays: its pods need not
 * move. Undefined if nothing worthwhile is left.
 *
 * @param known the cheapest plan without the candidates, if there is one already
 */
function* regroupingOf(
  prefix: readonly Candidate[],
  { simulation, decision }: RegroupingInputs,
  known?: RemovalOutcome,
): Steps<Regrouping | undefined> {
  let candidates = prefix;
  for (let round = 0; round < maxRounds && candidates.length > 0; round++) {
    const isKnown = round === 0 && known !== undefined;
    const outcome = isKnown ? known : yield* simulation.without(candidates, 'settled', false);
    const verdict = decideRegrouping(candidates, outcome, decision);
    if (verdict.kind !== 'replace') return undefined;
    const kept = nodesToKeep(candidates, verdict.replacements, decision);
    if (kept.size === 0) return worthwhile({ candidates, outcome, verdict, decision });
    candidates = candidates.filter((candidate) => !kept.has(candidate));
  }
  return undefined;
}

function worthwhile({
  decision: { prices },
  ...found
}: Omit<Regrouping, 'savings'> & Pick<RegroupingInputs, 'decision'>): Regrouping | undefined {
  const { candidates, verdict } = found;
  if (verdict.kind !== 'replace' || movedPods({ candidates }) === 0) return undefined;
  const spent = verdict.replacements.reduce((sum, each) => sum + prices.launchPrice(each), 0);
  const regrouping = { ...found, savings: totalPrice(candidates) - spent };
  return meetsMinimumSavings(regrouping) ? regrouping : undefined;
}

/**
 * Of two regroupings the one that saves more, less the price of moves. kube-scheduler seldom fills new nodes as
 * planned, so some of the savings are lost: the larger one must also save a share of what its additional nodes cost
 * (ADR 0058).
 */
function better(a: Regrouping | undefined, b: Regrouping | undefined): Regrouping | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return totalPrice(a.candidates) <= totalPrice(b.candidates) ? larger(a, b) : larger(b, a);
}

function larger(less: Regrouping, more: Regrouping): Regrouping {
  return isWorthGrowing(less, more) ? more : less;
}

type Grown = Pick<Regrouping, 'candidates' | 'savings'>;

function isWorthGrowing(less: Grown, more: Grown): boolean {
  const further = Math.max(0, totalPrice(more.candidates) - totalPrice(less.candidates));
  return netSavings(more) - netSavings(less) > consolidationTuning.regroupingMinGrowth * further;
}

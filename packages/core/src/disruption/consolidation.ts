import { consolidationTuning, consolidationTypes, disruptionReasons } from '../api/index.ts';
import type { PlanSignal } from '../scheduling/index.ts';
import { isHopeless, type MoveScore, type PoolTotals, scoreMove } from './balanced.ts';
import type { BudgetLedger } from './budget.ts';
import { byNodePool, byZone, interleaved } from './by-node-pool.ts';
import { bySavingsRatio, type Candidate } from './candidate.ts';
import type { ClusterSimulation, Outcome } from './cluster-simulation.ts';
import { type Command, isPlanned, poolsOf } from './command.ts';
import {
  type DecisionContext,
  decideConsolidation,
  manyNewNodes,
  type Verdict,
} from './consolidation-decision.ts';
import { destinationsOf } from './drift.ts';
import type { CandidateMessage } from './gate.ts';
import { isWorthwhile } from './saving-wishes.ts';

export interface ConsolidationInputs {
  /** Those that pass the gate of consolidation. */
  readonly candidates: readonly Candidate[];
  readonly ledger: BudgetLedger;
  readonly simulation: ClusterSimulation;
  readonly decision: DecisionContext;
  readonly totals: ReadonlyMap<string, PoolTotals>;
}

/** A command with what the pools of policy Balanced say to it. */
export interface WeighedCommand {
  readonly command: Command;
  readonly scores: readonly MoveScore[];
}

export interface ConsolidationSearch {
  /** Each can be carried out when those before it are. */
  readonly commands: readonly WeighedCommand[];
  /** Candidates that could be consolidated as far as their pools are concerned. */
  readonly eligible: readonly Candidate[];
  /** How many of them were looked at: all but those that a budget keeps or that moved pods go to. */
  readonly evaluated: number;
  readonly told: readonly CandidateMessage[];
  /** Moves that a pool of policy Balanced did not find worth it. */
  readonly refused: readonly MoveScore[];
}

/** A move that was found possible, and what it saves. */
interface Option {
  readonly candidates: readonly Candidate[];
  readonly savings: number;
}

interface Found {
  readonly command: Command;
  readonly outcome: Outcome;
  readonly verdict: Verdict;
}

/**
 * Looks at every candidate, and takes what saves most. First come nodes that can go without any replacement, in
 * the order of what they save for their disturbance; then replacements, of one node or of several by one, the
 * largest saving first. Whatever is taken is carried out in the simulation before the next is asked about.
 */
export function* consolidate(inputs: ConsolidationInputs): Generator<void, ConsolidationSearch, PlanSignal> {
  const search = new Search(inputs);
  const { newNodesAnyway } = inputs.simulation;
  if (newNodesAnyway > 1) return search.refuseAll(manyNewNodes(newNodesAnyway));
  yield* search.deleteSingles();
  yield* search.findJoint();
  yield* search.takeReplacements();
  return search.result;
}

/** Ever larger steps, up to the most that are looked at together. */
const prefixSizes = [2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 90, consolidationTuning.multiNodeBatchCap + 1];
/** After so many sizes in a row for which one node does not do, larger ones are not tried. */
const mostMisses = 3;

class Search {
  readonly #inputs: ConsolidationInputs;
  readonly #eligible: readonly Candidate[];
  readonly #told: CandidateMessage[] = [];
  readonly #commands: WeighedCommand[] = [];
  readonly #refused: MoveScore[] = [];
  readonly #options: Option[] = [];
  readonly #evaluated = new Set<Candidate>();
  /** Names of nodes that go. */
  readonly #taken = new Set<string>();
  readonly #reservations = new Set<string>();

  constructor(inputs: ConsolidationInputs) {
    this.#inputs = inputs;
    this.#eligible = interleaved([...inputs.candidates].sort(bySavingsRatio));
  }

  get result(): ConsolidationSearch {
    return {
      commands: this.#commands.map(({ command, scores }) => ({ command: this.#settled(command), scores })),
      eligible: this.#eligible,
      evaluated: this.#evaluated.size,
      told: this.#told,
      refused: this.#refused,
    };
  }

  /** Nodes that were going to receive pods may have been found to go as well. */
  #settled(command: Command): Command {
    return { ...command, destinations: command.destinations.filter(({ node }) => !this.#taken.has(node)) };
  }

  /** Where pods wait for several nodes, only one of which may stand in for others, there is nothing to ask. */
  refuseAll(message: string): ConsolidationSearch {
    for (const candidate of this.#eligible) {
      this.#evaluated.add(candidate);
      this.#told.push({ candidate, message });
    }
    return this.result;
  }

  *deleteSingles(): Generator<void, void, PlanSignal> {
    const { totals } = this.#inputs;
    for (const candidate of this.#eligible) {
      if (!this.#isFree([candidate])) continue;
      this.#evaluated.add(candidate);
      if (isHopeless(candidate, totals)) continue;
      const found = yield* this.#ask([candidate]);
      if (found.verdict.kind === 'delete') yield* this.#take(found);
      else if (found.verdict.kind === 'replace')
        this.#options.push({ candidates: [candidate], savings: found.command.savings });
      else this.#told.push({ candidate, message: found.verdict.message });
      yield;
    }
  }

  /** Several nodes for one: among all, and within each pool and each zone of it, whose pods are more likely to share a node. */
  *findJoint(): Generator<void, void, PlanSignal> {
    const left = this.#eligible.filter((candidate) => this.#isReplaceable([candidate])).sort(bySavingsRatio);
    const pools = [...byNodePool(left).values()];
    const zones = pools.flatMap(byZone);
    const groups = [left, ...(pools.length > 1 ? pools : []), ...(zones.length > pools.length ? zones : [])];
    for (const group of groups) if (group.length > 1) yield* this.#findPrefix(group);
  }

  *takeReplacements(): Generator<void, void, PlanSignal> {
    const singles = new Map(
      this.#options
        .filter(({ candidates }) => candidates.length === 1)
        .map(({ candidates, savings }) => [candidates[0], savings]),
    );
    const apart = ({ candidates }: Option) =>
      candidates.reduce((sum, candidate) => sum + (singles.get(candidate) ?? 0), 0);
    const worthwhile = this.#options.filter(
      (option) => option.candidates.length === 1 || option.savings > apart(option),
    );
    for (const { candidates } of worthwhile.sort(bySavings)) {
      if (!this.#isReplaceable(candidates)) continue;
      const found = yield* this.#ask(candidates);
      if (found.verdict.kind !== 'keep') yield* this.#take(found);
      yield;
    }
  }

  /** The number of the best candidates for which one node saves most; a larger number need not be better. */
  *#findPrefix(candidates: readonly Candidate[]): Generator<void, void, PlanSignal> {
    const within = this.#withinBudget(candidates);
    let best: Option | undefined;
    let misses = 0;
    for (const size of prefixSizes) {
      const prefix = within.slice(0, size);
      if (prefix.length < size || misses === mostMisses) break;
      if (!this.#inputs.simulation.mayFit(prefix)) break;
      const { verdict, command } = yield* this.#ask(prefix);
      const { savings } = command;
      misses = verdict.kind === 'keep' ? misses + 1 : 0;
      if (verdict.kind !== 'keep' && savings > (best?.savings ?? 0)) best = { candidates: prefix, savings };
      yield;
    }
    if (best !== undefined) this.#options.push(best);
  }

  #isFree(candidates: readonly Candidate[]): boolean {
    return (
      candidates.every(({ name }) => !this.#taken.has(name)) &&
      this.#inputs.ledger.allows(poolsOf({ candidates }))
    );
  }

  /** Pods of nodes that are deleted at once cannot wait on this one until its replacement is up. */
  #isReplaceable(candidates: readonly Candidate[]): boolean {
    const { simulation } = this.#inputs;
    return this.#isFree(candidates) && !candidates.some((candidate) => simulation.hasReceived(candidate));
  }

  #withinBudget(candidates: readonly Candidate[]): readonly Candidate[] {
    const { ledger } = this.#inputs;
    const used = new Map<string, number>();
    return candidates.filter(({ nodePool }) => {
      const { name } = nodePool.metadata;
      const count = (used.get(name) ?? 0) + 1;
      if (count > ledger.most(name)) return false;
      used.set(name, count);
      return true;
    });
  }

  *#ask(candidates: readonly Candidate[]): Generator<void, Found, PlanSignal> {
    const { simulation, decision } = this.#inputs;
    const outcome = yield* simulation.without(candidates);
    const verdict = decideConsolidation(candidates, outcome, decision);
    return { outcome, verdict, command: consolidationCommand(candidates, outcome, verdict, decision) };
  }

  *#take({ command, outcome, verdict }: Found): Generator<void, void, PlanSignal> {
    const { candidates, savings } = command;
    const scores = scoreMove(candidates, savings, this.#inputs.totals);
    if (scores.some(({ isApproved }) => !isApproved)) return void this.#refused.push(...scores);
    if (!isWorthwhile(command) || this.#sharesReservation(verdict)) return;
    this.#inputs.ledger.take(poolsOf(command));
    for (const { name } of candidates) this.#taken.add(name);
    for (const id of this.#reservationsOf(verdict)) this.#reservations.add(id);
    this.#commands.push({ command, scores });
    yield* this.#inputs.simulation.settle({
      removal: outcome.removal,
      plan: { ...outcome.plan, newNodes: command.replacements.filter(isPlanned) },
    });
  }

  /** What is left of a reservation is not known before the first node on it is launched. */
  #sharesReservation(verdict: Verdict): boolean {
    return this.#reservationsOf(verdict).some((id) => this.#reservations.has(id));
  }

  #reservationsOf(verdict: Verdict): readonly string[] {
    if (verdict.kind !== 'replace') return [];
    return this.#inputs.decision.prices.reservations(verdict.replacement.planned);
  }
}

function bySavings(a: Option, b: Option): number {
  return b.savings - a.savings;
}

export function consolidationCommand(
  candidates: readonly Candidate[],
  outcome: Outcome,
  verdict: Verdict,
  { prices }: DecisionContext,
): Command {
  const given = candidates.reduce((sum, { price }) => sum + price, 0);
  const isReplaced = verdict.kind === 'replace';
  return {
    reason: disruptionReasons.underutilized,
    consolidationType: candidates.length > 1 ? consolidationTypes.multi : consolidationTypes.single,
    candidates,
    replacements: isReplaced ? [verdict.replacement.planned] : [],
    destinations: destinationsOf(outcome),
    savings: given - (isReplaced ? prices.launchPrice(verdict.replacement) : 0),
  };
}

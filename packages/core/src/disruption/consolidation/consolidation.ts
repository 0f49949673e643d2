import { consolidationTuning, consolidationTypes, disruptionReasons } from '../../api/index.ts';
import type { Steps } from '../../yielding/index.ts';
import type { BudgetLedger } from '../budgets/budget.ts';
import { byNodePool, byZone, interleaved } from '../budgets/by-node-pool.ts';
import { bySavingsRatio, type Candidate, totalPrice } from '../candidates/candidate.ts';
import { growingPrefixes } from '../candidates/candidate-prefixes.ts';
import type { CandidateMessage } from '../candidates/gate.ts';
import type { ClusterSimulation, RemovalOutcome } from '../cluster-simulation.ts';
import { type Command, isPlanned, poolsOf } from '../commands/command.ts';
import { destinationsOf } from '../drift.ts';
import { isNeverApproved, type MoveScore, scoreMove } from './balanced.ts';
import {
  type ConsolidationVerdict,
  type DecisionContext,
  decideConsolidation,
  manyNewNodes,
  notCheaper,
} from './consolidation-decision.ts';
import { netSavings } from './moved-pods.ts';
import { bestRegrouping, type Regrouping, regroupingOfNode } from './regrouping.ts';
import { isWorthwhile, type SavingsContext } from './savings-thresholds.ts';

export interface ConsolidationInputs extends SavingsContext {
  /** Candidates that pass `consolidationGate`. */
  readonly candidates: readonly Candidate[];
  readonly ledger: BudgetLedger;
  /** Simulates the cluster with the commands that are already decided. */
  readonly simulate: () => Steps<ClusterSimulation>;
  readonly decision: DecisionContext;
}

/** A command and its scores for the NodePools with policy Balanced. */
export interface WeighedCommand {
  readonly command: Command;
  readonly scores: readonly MoveScore[];
}

export interface ConsolidationSearch {
  /** Each can run once the ones before it have. */
  readonly commands: readonly WeighedCommand[];
  /** Candidates that may be consolidated as far as their NodePools are concerned. */
  readonly eligible: readonly Candidate[];
  /** How many of them were evaluated: all except those without room in a budget. */
  readonly evaluated: number;
  /** Messages for events on candidates that cannot be consolidated. */
  readonly unconsolidatable: readonly CandidateMessage[];
  /** Scores of commands that a NodePool with policy Balanced did not approve. */
  readonly refused: readonly MoveScore[];
  /** Whether pods of one command arrive on a node before a later command removes it. */
  readonly movesPodsTwice: boolean;
}

/** A possible command. */
interface Option {
  readonly found: Found;
  /** How many commands were accepted when it was found. If more are accepted since, it is evaluated again. */
  readonly accepted: number;
}

interface Found {
  readonly command: Command;
  readonly outcome: RemovalOutcome;
  readonly verdict: ConsolidationVerdict;
}

/**
 * Evaluates every candidate and takes the commands that save most (ADR 0025): with the best regrouping first or without
 * it, whichever saves more in total, less a price for each pod that moves (ADR 0058). So a small node is not emptied
 * onto a large one that is replaced next, which would move its pods twice.
 */
export function* consolidate({ simulate, ...inputs }: ConsolidationInputs): Steps<ConsolidationSearch> {
  const simulation = yield* simulate();
  const { ledger, candidates } = inputs;
  // Pods can move twice only where a budget lets nodes go one after the other, see `#isReplaceable`.
  if (!candidates.some(({ nodePool }) => ledger.atOnce(nodePool.metadata.name) === 1))
    return yield* bestSearch({ ...inputs, simulation });
  // Copied first, because a search settles its commands in the simulation and takes them from the ledger.
  const copies = { simulation: simulation.copy(), ledger: ledger.copy() };
  const found = yield* bestSearch({ ...inputs, simulation });
  return found.movesPodsTwice ? yield* movingPodsOnce(found, { ...inputs, ...copies }) : found;
}

/**
 * Searches again for commands that move no pod to a node that another command removes, and takes them if they save
 * nearly as much (ADR 0031): the first of two large, nearly empty nodes is then replaced by a small one rather than
 * emptied onto the second.
 */
function* movingPodsOnce(found: ConsolidationSearch, inputs: SearchInputs): Steps<ConsolidationSearch> {
  const leaving = found.commands.flatMap(({ command }) => command.candidates.map(({ name }) => name));
  inputs.simulation.avoid(leaving);
  const other = yield* bestSearch(inputs);
  if (totalSavings(other) < consolidationTuning.savingsKeptToMoveOnce * totalSavings(found)) return found;
  const commands = other.commands.map(({ command, scores }) => ({
    command: { ...command, avoided: leaving },
    scores,
  }));
  return { ...other, commands };
}

function* bestSearch(inputs: SearchInputs): Steps<ConsolidationSearch> {
  const copies = { simulation: inputs.simulation.copy(), ledger: inputs.ledger.copy() };
  const search = new Search({ ...inputs, ...copies });
  const separate = yield* search.run();
  if (totalSavings(separate) >= mostSavingsWithin(inputs)) return separate;
  const regrouping = yield* bestRegrouping(inputs);
  if (regrouping === undefined) return separate;
  const regrouped = yield* new Search(inputs, { regrouping, singles: search.singles }).run();
  return totalSavings(regrouped) - totalSavings(separate) >= minGain(regrouping) ? regrouped : separate;
}

/**
 * An upper bound of the savings of any commands within the budgets: the nodes whose deletion saves most go, and nothing
 * replaces them.
 */
function mostSavingsWithin({ candidates, ledger }: SearchInputs): number {
  const byPool = [...byNodePool(candidates)].map(([name, own]) =>
    own
      .map((candidate) => Math.max(0, netSavings({ candidates: [candidate], savings: candidate.price })))
      .sort((a, b) => b - a)
      .slice(0, ledger.left(name)),
  );
  return byPool.flat().reduce((sum, savings) => sum + savings, 0) * (1 - rounding);
}

/** Separate commands do not wait for each other, so a regrouping must save noticeably more than they do. */
function minGain({ candidates }: Regrouping): number {
  return consolidationTuning.regroupingMinGain * totalPrice(candidates);
}

function totalSavings({ commands }: ConsolidationSearch): number {
  return commands.reduce((sum, { command }) => sum + netSavings(command), 0);
}

type SearchInputs = Omit<ConsolidationInputs, 'simulate'> & { readonly simulation: ClusterSimulation };

/** What a search found for each candidate alone that it did not delete. */
interface Singles {
  /** Messages of those that stay. */
  readonly kept: ReadonlyMap<Candidate, string>;
  readonly replaced: ReadonlyMap<Candidate, Found>;
}

/** What a search starts with. */
interface SearchStart {
  readonly regrouping: Regrouping;
  /** Results of the search without the regrouping, so that nothing is planned again for nodes that stay. */
  readonly singles: Singles;
}

/** Never the number of accepted commands, so options of another search are evaluated again before they are accepted. */
const foundElsewhere = -1;
/** Sums of the same amounts in different orders differ by less than this part. */
const rounding = 1e-9;
/** Stop trying larger sizes after this many in a row that one new node cannot replace. */
const maxMisses = 3;

/**
 * After a regrouping, if any, come nodes that can be deleted without replacement, by savings ratio; then
 * replacements, of one node or of several by one, the largest savings first. Each accepted command is carried
 * out in the simulation before the next one is evaluated.
 */
class Search {
  readonly #inputs: SearchInputs;
  readonly #start: SearchStart | undefined;
  readonly #eligible: readonly Candidate[];
  readonly #commands: WeighedCommand[] = [];
  readonly #refused: MoveScore[] = [];
  readonly #options: Option[] = [];
  readonly #kept = new Map<Candidate, string>();
  readonly #replaced = new Map<Candidate, Found>();
  readonly #evaluated = new Set<Candidate>();
  /** Names of nodes that accepted commands remove. */
  readonly #removed = new Set<string>();
  /** Names of their NodePools. */
  readonly #pools = new Set<string>();
  readonly #reservations = new Set<string>();
  #movesPodsTwice = false;

  constructor(inputs: SearchInputs, start?: SearchStart) {
    this.#inputs = inputs;
    this.#start = start;
    this.#eligible = interleaved([...inputs.candidates].sort(bySavingsRatio));
  }

  *run(): Steps<ConsolidationSearch> {
    const { newNodesForPending } = this.#inputs.simulation;
    if (newNodesForPending > 1) return this.#keepAll(manyNewNodes(newNodesForPending));
    if (this.#start !== undefined) yield* this.#regroup(this.#start.regrouping);
    yield* this.#deleteSingles();
    yield* this.#findJoint();
    yield* this.#takeReplacements();
    return this.#result;
  }

  get singles(): Singles {
    return { kept: this.#kept, replaced: this.#replaced };
  }

  get #result(): ConsolidationSearch {
    return {
      commands: this.#commands.map(({ command, scores }) => ({
        command: this.#withoutRemovedDestinations(command),
        scores,
      })),
      eligible: this.#eligible,
      evaluated: this.#evaluated.size,
      unconsolidatable: [...this.#kept].map(([candidate, message]) => ({ candidate, message })),
      refused: this.#refused,
      movesPodsTwice: this.#movesPodsTwice,
    };
  }

  /** Drops destinations that a later command removes. */
  #withoutRemovedDestinations(command: Command): Command {
    return { ...command, destinations: command.destinations.filter(({ node }) => !this.#removed.has(node)) };
  }

  /**
   * Keeps all candidates when pending pods already need several new nodes: a consolidation may create only
   * one.
   */
  #keepAll(message: string): ConsolidationSearch {
    for (const candidate of this.#eligible) {
      this.#evaluated.add(candidate);
      this.#kept.set(candidate, message);
    }
    return this.#result;
  }

  *#regroup(regrouping: Regrouping): Steps<void> {
    for (const candidate of regrouping.candidates) this.#evaluated.add(candidate);
    yield* this.#accept(this.#foundBy(regrouping));
  }

  #foundBy({ candidates, outcome, verdict }: Regrouping): Found {
    const command = consolidationCommand(candidates, outcome, verdict, this.#inputs.decision);
    return { command, outcome, verdict };
  }

  *#deleteSingles(): Steps<void> {
    const { totals } = this.#inputs;
    for (const candidate of this.#eligible) {
      if (!this.#isFree([candidate])) continue;
      this.#evaluated.add(candidate);
      if (isNeverApproved(candidate, totals)) continue;
      yield* this.#decideSingle(candidate);
      yield;
    }
  }

  *#decideSingle(candidate: Candidate): Steps<void> {
    const { kept, replaced } = this.#start?.singles ?? {};
    const message = kept?.get(candidate) ?? (this.#mostSavings([candidate]) <= 0 ? notCheaper : undefined);
    if (message !== undefined) return void this.#kept.set(candidate, message);
    const known = replaced?.get(candidate);
    if (known === undefined) return yield* this.#deleteOrAddOption(candidate);
    this.#addOption(candidate, { found: known, accepted: foundElsewhere });
  }

  *#deleteOrAddOption(candidate: Candidate): Steps<void> {
    const found = yield* this.#evaluate([candidate]);
    if (found.verdict.kind === 'delete') return yield* this.#accept(found);
    this.#addOption(candidate, { found: yield* this.#orSplit(found), accepted: this.#commands.length });
  }

  /** A single node that one other cannot replace may be replaced by several (ADR 0058). */
  *#orSplit(found: Found): Steps<Found> {
    const [candidate, ...others] = found.command.candidates;
    if (found.verdict.kind !== 'keep' || candidate === undefined || others.length > 0) return found;
    const regrouping = yield* regroupingOfNode(candidate, found.outcome, this.#inputs);
    return regrouping === undefined ? found : this.#foundBy(regrouping);
  }

  #addOption(candidate: Candidate, option: Option): void {
    const { verdict } = option.found;
    if (verdict.kind === 'keep') return void this.#kept.set(candidate, verdict.message);
    this.#replaced.set(candidate, option.found);
    this.#options.push(option);
  }

  /**
   * Searches for several nodes to replace by one: among all candidates, and within each pool and zone, where
   * pods are more likely to fit on one node.
   */
  *#findJoint(): Steps<void> {
    const left = this.#eligible.filter((candidate) => this.#isReplaceable([candidate])).sort(bySavingsRatio);
    const pools = [...byNodePool(left).values()];
    const zones = pools.flatMap(byZone);
    const groups = [left, ...(pools.length > 1 ? pools : []), ...(zones.length > pools.length ? zones : [])];
    for (const group of groups) if (group.length > 1) yield* this.#findPrefix(group);
  }

  *#takeReplacements(): Steps<void> {
    const worthwhile = this.#options.filter(
      ({ found: { command } }) =>
        command.candidates.length === 1 || command.savings > this.#separateSavings(command.candidates),
    );
    for (const { found, accepted } of worthwhile.sort(bySavings)) {
      const { candidates } = found.command;
      if (!this.#isReplaceable(candidates)) continue;
      const isCurrent = accepted === this.#commands.length;
      const now = isCurrent ? found : yield* this.#orSplit(yield* this.#evaluate(candidates));
      if (now.verdict.kind !== 'keep') yield* this.#accept(now);
      yield;
    }
  }

  /** Finds the number of best-ranked candidates for which one new node saves most. */
  *#findPrefix(candidates: readonly Candidate[]): Steps<void> {
    let best: Found | undefined;
    let misses = 0;
    for (const prefix of growingPrefixes(candidates, this.#inputs.ledger)) {
      if (prefix.length < 2) continue;
      // If `mayFit` is false, a larger prefix does not fit either: it has more pods and leaves fewer nodes.
      if (misses === maxMisses || !this.#inputs.simulation.mayFit(prefix)) break;
      // No `break`, because savings do not grow steadily with the size (ADR 0025).
      if (!this.#maySaveMore(prefix, best)) continue;
      const found = yield* this.#evaluate(prefix);
      const isKept = found.verdict.kind === 'keep';
      misses = isKept ? misses + 1 : 0;
      if (!isKept && found.command.savings > (best?.command.savings ?? 0)) best = found;
      yield;
    }
    if (best !== undefined) this.#options.push({ found: best, accepted: this.#commands.length });
  }

  /** What replacing the candidates one by one saves; replacing them together must save more. */
  #separateSavings(candidates: readonly Candidate[]): number {
    return candidates.reduce(
      (sum, candidate) => sum + (this.#replaced.get(candidate)?.command.savings ?? 0),
      0,
    );
  }

  /** Whether replacing the candidates together may save more than the best so far, and than one by one. */
  #maySaveMore(candidates: readonly Candidate[], best: Found | undefined): boolean {
    const least = Math.max(best?.command.savings ?? 0, this.#separateSavings(candidates));
    return this.#mostSavings(candidates) > least;
  }

  /** Upper bound of what removing the candidates saves; a plan, which is exact, takes a thousand times longer. */
  #mostSavings(candidates: readonly Candidate[]): number {
    return totalPrice(candidates) - this.#inputs.simulation.leastPrice(candidates);
  }

  /** Whether no accepted command removes the candidates and budgets allow to disrupt them. */
  #isFree(candidates: readonly Candidate[]): boolean {
    return (
      candidates.every(({ name }) => !this.#removed.has(name)) &&
      this.#inputs.ledger.allows(poolsOf({ candidates }))
    );
  }

  /**
   * A node that receives pods of deleted nodes may be deleted too, but not replaced: the pods would have to wait for
   * the replacement. Where nodes go one after the other, they have arrived before it is the node's turn (ADR 0031).
   */
  #isReplaceable(candidates: readonly Candidate[]): boolean {
    const { simulation } = this.#inputs;
    if (!this.#isFree(candidates)) return false;
    return this.#isOneByOne(candidates) || !candidates.some((candidate) => simulation.hasReceived(candidate));
  }

  /** Whether the budget lets the commands found so far and one for these candidates run only one after the other. */
  #isOneByOne(candidates: readonly Candidate[]): boolean {
    const [pool, ...others] = new Set([...this.#pools, ...poolsOf({ candidates })]);
    return pool !== undefined && others.length === 0 && this.#inputs.ledger.atOnce(pool) === 1;
  }

  *#evaluate(candidates: readonly Candidate[]): Steps<Found> {
    const { simulation, decision } = this.#inputs;
    const outcome = yield* simulation.without(candidates);
    const verdict = decideConsolidation(candidates, outcome, decision);
    return { outcome, verdict, command: consolidationCommand(candidates, outcome, verdict, decision) };
  }

  /** Takes the command and applies it to the simulation, unless policy, thresholds or a reservation forbid it. */
  *#accept({ command, outcome, verdict }: Found): Steps<void> {
    const { candidates, savings } = command;
    const scores = scoreMove(candidates, savings, this.#inputs.totals);
    if (scores.some(({ isApproved }) => !isApproved)) return void this.#refused.push(...scores);
    if (!isWorthwhile(command, this.#inputs) || this.#sharesReservation(verdict)) return;
    const { simulation } = this.#inputs;
    // Before the command is recorded and settled, because both change the answer.
    this.#movesPodsTwice ||=
      this.#isOneByOne(candidates) && candidates.some((each) => simulation.hasReceived(each));
    const pools = poolsOf(command);
    this.#inputs.ledger.take(pools);
    for (const pool of pools) this.#pools.add(pool);
    for (const { name } of candidates) this.#removed.add(name);
    for (const id of this.#reservationsOf(verdict)) this.#reservations.add(id);
    this.#commands.push({ command, scores });
    yield* simulation.settle({
      removal: outcome.removal,
      plan: { ...outcome.plan, newNodes: command.replacements.filter(isPlanned) },
    });
  }

  /**
   * How much of a reservation is left is unknown until the first node on it is launched, so only one command
   * uses it.
   */
  #sharesReservation(verdict: ConsolidationVerdict): boolean {
    return this.#reservationsOf(verdict).some((id) => this.#reservations.has(id));
  }

  #reservationsOf(verdict: ConsolidationVerdict): readonly string[] {
    if (verdict.kind !== 'replace') return [];
    const { prices } = this.#inputs.decision;
    return verdict.replacements.flatMap(({ planned }) => prices.reservations(planned));
  }
}

function bySavings(a: Option, b: Option): number {
  return b.found.command.savings - a.found.command.savings;
}

export function consolidationCommand(
  candidates: readonly Candidate[],
  outcome: RemovalOutcome,
  verdict: ConsolidationVerdict,
  { prices }: DecisionContext,
): Command {
  const currentPrice = totalPrice(candidates);
  const replacements = verdict.kind === 'replace' ? verdict.replacements : [];
  return {
    reason: disruptionReasons.underutilized,
    consolidationType: candidates.length > 1 ? consolidationTypes.multi : consolidationTypes.single,
    candidates,
    replacements: replacements.map(({ planned }) => planned),
    destinations: destinationsOf(outcome),
    savings: replacements.reduce((left, each) => left - prices.launchPrice(each), currentPrice),
  };
}

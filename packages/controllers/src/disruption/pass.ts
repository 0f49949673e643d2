import { type DisruptionReason, disruptionReasons } from '@karpenter/core/api';
import {
  asOfNow,
  BudgetLedger,
  budgetsAhead,
  CandidateEvaluator,
  type Command,
  type PoolBudget,
  poolBudgets,
  poolsOf,
  type SpentBudgets,
  type ValidationInputs,
  type WaitingCommand,
} from '@karpenter/core/disruption';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { MethodOrigin } from '../disruption-queue/index.ts';
import type { MethodContext } from './method.ts';

type Budgets = ReadonlyMap<string, PoolBudget>;

interface PassOptions {
  readonly origin?: MethodOrigin | undefined;
  readonly searches?: boolean;
}

/**
 * One run of one method on one snapshot. Commands that the method starts count against its later search,
 * although the snapshot does not show them.
 */
export class Pass {
  readonly snapshot: ClusterSnapshot;
  readonly #context: MethodContext;
  /** Whether to look for new commands, rather than only start those that wait. */
  readonly searches: boolean;
  readonly #origin: MethodOrigin | undefined;
  readonly #started: Command[] = [];

  constructor(
    context: MethodContext,
    snapshot: ClusterSnapshot,
    { origin, searches = true }: PassOptions = {},
  ) {
    this.#context = context;
    this.snapshot = snapshot;
    this.searches = searches;
    this.#origin = origin;
  }

  /**
   * Ids of nodes that a running or waiting command already disrupts; a search leaves them alone. Emptiness
   * takes nodes from waiting commands of other reasons: these can no longer start once the node is empty.
   * Consolidation decides about the nodes of its own waiting commands again.
   */
  nodesInCommands(reason: DisruptionReason): ReadonlySet<string> {
    const { queue, waiting } = this.#context;
    const commands = reason === disruptionReasons.empty ? waiting.of(reason) : this.#waitingBefore(reason);
    return new Set([
      ...queue.nodes,
      ...commands.flatMap(({ command }) => command.candidates.map(({ id }) => id)),
    ]);
  }

  /** Commands that this pass has started, which the snapshot does not show. */
  get started(): readonly Command[] {
    return this.#started;
  }

  /**
   * Commands that a simulation applies before it searches for more: those started in this pass, and those
   * that wait and could start now. A waiting command that could not start now is left out, and validated when
   * it is due.
   */
  decidedBefore(reason: DisruptionReason): readonly Command[] {
    // The reason only selects budgets, which `asOfNow` does not read.
    const inputs = this.validation(disruptionReasons.underutilized);
    const waiting = this.#waitingBefore(reason).flatMap(({ command }) => asOfNow(command, inputs) ?? []);
    return [...this.#started, ...waiting];
  }

  /** Waiting commands that a search does not decide about again. */
  #waitingBefore(reason: DisruptionReason): readonly WaitingCommand[] {
    const { all } = this.#context.waiting;
    if (reason !== disruptionReasons.underutilized) return all;
    return all.filter(({ command }) => command.reason !== reason);
  }

  /**
   * The inputs to validate waiting commands with: running commands, candidates and budgets of this
   * snapshot.
   */
  validation(reason: DisruptionReason): ValidationInputs {
    const context = { snapshot: this.snapshot, queued: this.#context.queue.nodes };
    return {
      ...context,
      evaluator: new CandidateEvaluator(context),
      budgets: poolBudgets(this.snapshot, reason),
    };
  }

  /** The budgets for commands that start at once. */
  ledger(budgets: Budgets): BudgetLedger {
    return new BudgetLedger(budgets, spentBy(this.#started));
  }

  /**
   * The budgets for commands that wait for validation anyway. They allow five nodes for each that a budget
   * allows, so that under a tight budget the next command has finished waiting when the one before it is done
   * (ADR 0031).
   */
  ledgerAhead(budgets: Budgets, reason: DisruptionReason): BudgetLedger {
    const waiting = this.#waitingBefore(reason).map(({ command }) => command);
    return new BudgetLedger(budgetsAhead(budgets), spentBy([...this.#started, ...waiting]));
  }

  /** Starts commands; throws the failures of all of them together after every command was tried. */
  async start(commands: readonly Command[], signal: AbortSignal): Promise<void> {
    // Also commands whose start fails: their nodes may be tainted by then, so their budget stays spent.
    this.#started.push(...commands);
    await this.#context.start(commands, { snapshot: this.snapshot, origin: this.#origin, signal });
  }
}

/** How many nodes of each NodePool the commands disrupt. */
function spentBy(commands: readonly Command[]): SpentBudgets {
  const spent: SpentBudgets = new Map();
  for (const name of commands.flatMap(poolsOf)) spent.set(name, (spent.get(name) ?? 0) + 1);
  return spent;
}

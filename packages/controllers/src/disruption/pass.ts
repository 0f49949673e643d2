import type { DisruptionReason } from '@karpenter/core/api';
import {
  asOfNow,
  BudgetLedger,
  budgetsAhead,
  CandidateJudge,
  type Command,
  type PoolBudget,
  poolBudgets,
  poolsOf,
  type SpentBudgets,
  type ValidationInputs,
} from '@karpenter/core/disruption';
import type { ClusterSnapshot } from '@karpenter/core/state';
import type { MethodContext } from './method.ts';
import { startAll } from './start-all.ts';

type Budgets = ReadonlyMap<string, PoolBudget>;

/** One look at the cluster by a method: what it begins counts for what it looks for then. */
export class Pass {
  readonly snapshot: ClusterSnapshot;
  readonly #context: MethodContext;
  readonly #started: Command[] = [];

  constructor(context: MethodContext, snapshot: ClusterSnapshot) {
    this.#context = context;
    this.snapshot = snapshot;
  }

  /** Ids of nodes that are none of a search's business: a command is at work on them, or waits for them. */
  get taken(): ReadonlySet<string> {
    const { queue, waiting } = this.#context;
    return new Set([...queue.nodes, ...waiting.nodes]);
  }

  /** Commands that have begun since; the snapshot knows nothing of them. */
  get started(): readonly Command[] {
    return this.#started;
  }

  /** What has been decided so far: commands that have begun since, and those that wait and could begin. */
  get decided(): readonly Command[] {
    const inputs = this.validation('Underutilized');
    const waiting = this.#context.waiting.all.flatMap(({ command }) => asOfNow(command, inputs) ?? []);
    return [...this.#started, ...waiting];
  }

  /** For a second look at commands. */
  validation(reason: DisruptionReason): ValidationInputs {
    const context = { snapshot: this.snapshot, queued: this.#context.queue.nodes };
    return { ...context, judge: new CandidateJudge(context), budgets: poolBudgets(this.snapshot, reason) };
  }

  /** For commands that begin at once. */
  ledger(budgets: Budgets): BudgetLedger {
    return new BudgetLedger(budgets, spentBy(this.#started));
  }

  /** For commands that have to wait in any case. */
  ledgerAhead(budgets: Budgets): BudgetLedger {
    const waiting = this.#context.waiting.all.map(({ command }) => command);
    return new BudgetLedger(budgetsAhead(budgets), spentBy([...this.#started, ...waiting]));
  }

  async start(commands: readonly Command[], signal: AbortSignal): Promise<void> {
    this.#started.push(...commands);
    await startAll(this.#context, commands, { snapshot: this.snapshot, signal });
  }
}

function spentBy(commands: readonly Command[]): SpentBudgets {
  const spent: SpentBudgets = new Map();
  for (const name of commands.flatMap(poolsOf)) spent.set(name, (spent.get(name) ?? 0) + 1);
  return spent;
}

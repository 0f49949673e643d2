import {
  type Budget,
  type DisruptionReason,
  disruptionTuning,
  isConditionTrue,
  type NodePool,
  nodeClaimConditions,
} from '../api/index.ts';
import type { ClusterSnapshot, NodeState } from '../state/index.ts';
import { isWindowOpen, nsToDurationMs, parseDuration, parseSchedule } from '../values/index.ts';

/** A budget that does not hold now, or none at all. */
export const unlimitedDisruptions = 2_147_483_647;

const defaultBudgets: readonly Budget[] = [{ nodes: '10%' }];

/** How many nodes of a pool may be away for a reason, and how many are. */
export interface PoolBudget {
  readonly nodePool: NodePool;
  /** Nodes of the pool that are up. */
  readonly total: number;
  /** The most that may be away at a time. */
  readonly allowed: number;
  /** Nodes that are away already: not ready, or going. */
  readonly consuming: number;
  /** Those of them that are going, each of which leaves its place to the next before long. */
  readonly leaving: number;
  readonly remaining: number;
  /** A schedule or duration cannot be read, so that nothing is allowed. */
  readonly isUnreadable: boolean;
}

/** The budgets of every NodePool for a reason, by name. */
export function poolBudgets(
  { nodePools, nodeStates, at }: Pick<ClusterSnapshot, 'nodePools' | 'nodeStates' | 'at'>,
  reason: DisruptionReason,
): ReadonlyMap<string, PoolBudget> {
  const counts = new Map<string, PoolCount>();
  for (const state of nodeStates) {
    const name = state.view.nodePool;
    if (name === undefined || !isCounted(state)) continue;
    const count = counts.get(name) ?? nothingCounted();
    count.total += 1;
    if (isAway(state)) count.consuming += 1;
    if (state.markedForDeletion) count.leaving += 1;
    counts.set(name, count);
  }
  return new Map(
    nodePools.map((nodePool) => {
      const count = counts.get(nodePool.metadata.name) ?? nothingCounted();
      const allowed = allowedDisruptions(nodePool, reason, count.total, at);
      const remaining = Math.max(0, allowed - count.consuming);
      const isUnreadable = openWindows(nodePool, at).includes(undefined);
      return [nodePool.metadata.name, { nodePool, ...count, allowed, remaining, isUnreadable }];
    }),
  );
}

interface PoolCount {
  total: number;
  consuming: number;
  leaving: number;
}

function nothingCounted(): PoolCount {
  return { total: 0, consuming: 0, leaving: 0 };
}

/**
 * The same budgets with room for commands that come later: by the time that a command found now has waited, those
 * that are going have gone.
 */
export function budgetsAhead(budgets: ReadonlyMap<string, PoolBudget>): ReadonlyMap<string, PoolBudget> {
  return new Map(
    [...budgets].map(([name, budget]) => {
      const remaining = Math.max(0, mostAtOnce(budget) * disruptionTuning.commandsAhead - budget.leaving);
      return [name, { ...budget, remaining }];
    }),
  );
}

/** So many nodes may go together once nothing else is going. */
function mostAtOnce({ allowed, consuming, leaving }: PoolBudget): number {
  return Math.max(0, allowed - (consuming - leaving));
}

/** The strictest budget that holds. One schedule that cannot be read stops the whole pool: it may have meant to. */
export function allowedDisruptions(
  nodePool: NodePool,
  reason: DisruptionReason,
  total: number,
  at: number,
): number {
  const windows = openWindows(nodePool, at);
  if (windows.includes(undefined)) return 0;
  const holding = budgetsOf(nodePool).filter(
    ({ reasons }, index) => windows[index] === true && (reasons === undefined || reasons.includes(reason)),
  );
  return Math.min(unlimitedDisruptions, ...holding.map(({ nodes }) => nodesOf(nodes, total)));
}

function budgetsOf({ spec }: NodePool): readonly Budget[] {
  return spec.disruption?.budgets ?? defaultBudgets;
}

/** Of each budget, whether it holds now. */
function openWindows(nodePool: NodePool, at: number): readonly (boolean | undefined)[] {
  return budgetsOf(nodePool).map((budget) => isActive(budget, at));
}

/** Undefined where the schedule or the duration cannot be read. */
function isActive({ schedule, duration }: Budget, at: number): boolean | undefined {
  if (schedule === undefined && duration === undefined) return true;
  try {
    const span = nsToDurationMs(parseDuration(duration ?? '0s'));
    return isWindowOpen(parseSchedule(schedule ?? ''), span, at);
  } catch {
    return undefined;
  }
}

/** A percentage is rounded up, so that a small pool is not stuck. */
function nodesOf(text: string, total: number): number {
  if (!text.endsWith('%')) return Number(text);
  return Math.ceil((total * Number(text.slice(0, -1))) / 100);
}

function isCounted({ nodeClaim, initialized }: NodeState): boolean {
  if (nodeClaim === undefined || !initialized) return false;
  return !isConditionTrue(
    { conditions: nodeClaim.status?.conditions ?? [] },
    nodeClaimConditions.instanceTerminating,
  );
}

function isAway({ node, markedForDeletion }: NodeState): boolean {
  return markedForDeletion || !isReady(node?.status?.conditions ?? []);
}

function isReady(conditions: readonly { readonly type: string; readonly status: string }[]): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/** Nodes that were given away, by pool. Several ledgers may share it: budgets differ by reason, nodes do not. */
export type SpentBudgets = Map<string, number>;

/** What budgets leave while commands are made. */
export class BudgetLedger {
  readonly #budgets: ReadonlyMap<string, PoolBudget>;
  readonly #spent: SpentBudgets;
  #hasRefused = false;

  constructor(budgets: ReadonlyMap<string, PoolBudget>, spent: SpentBudgets = new Map()) {
    this.#budgets = budgets;
    this.#spent = spent;
  }

  left(nodePool: string): number {
    const remaining = this.#budgets.get(nodePool)?.remaining ?? 0;
    return Math.max(0, remaining - (this.#spent.get(nodePool) ?? 0));
  }

  /** The most nodes of a pool that one command may have: they go at the same time, whenever that is. */
  most(nodePool: string): number {
    const budget = this.#budgets.get(nodePool);
    return budget === undefined ? 0 : Math.min(this.left(nodePool), mostAtOnce(budget));
  }

  /** Whether one more node of each of the pools, as often as it is named, may go. */
  allows(nodePools: readonly string[]): boolean {
    const isAllowed = [...counted(nodePools)].every(([name, count]) => this.most(name) >= count);
    if (!isAllowed) this.#hasRefused = true;
    return isAllowed;
  }

  /** Whether it may ever, with as many nodes as there are now. */
  mayAllow(nodePools: readonly string[]): boolean {
    return [...counted(nodePools)].every(([name, count]) => {
      const budget = this.#budgets.get(name);
      return budget !== undefined && mostAtOnce(budget) >= count;
    });
  }

  take(nodePools: readonly string[]): void {
    for (const name of nodePools) this.#spent.set(name, (this.#spent.get(name) ?? 0) + 1);
  }

  /** Whether a budget has held anything back. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }
}

function counted(nodePools: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of nodePools) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

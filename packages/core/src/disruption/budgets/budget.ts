import {
  type Budget,
  type DisruptionReason,
  disruptionTuning,
  isConditionTrue,
  type NodePool,
  nodeClaimConditions,
} from '../../api/index.ts';
import type { ClusterSnapshot, NodeState } from '../../state/index.ts';
import { isWindowOpen, nsToDurationMs, parseDuration, parseSchedule } from '../../values/index.ts';

/** The number of allowed disruptions when no budget is active: the largest int32, as in Karpenter. */
export const unlimitedDisruptions = 2_147_483_647;

const defaultBudgets: readonly Budget[] = [{ nodes: '10%' }];

/** How many nodes of a NodePool may be disrupted for a reason, and how many already are. */
export interface PoolBudget {
  readonly nodePool: NodePool;
  /** Initialized nodes of the pool whose instance is not terminating. */
  readonly total: number;
  /** Most nodes that may be disrupted at a time. */
  readonly allowed: number;
  /** Nodes that count against the budget already: not ready, deleted, or marked for deletion. */
  readonly consuming: number;
  /** Those of them deleted or marked for deletion. Each frees its place in the budget when it is gone. */
  readonly leaving: number;
  readonly remaining: number;
  /** A schedule or duration is invalid, so nothing is allowed. */
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
    const use = name === undefined ? undefined : budgetUse(state);
    if (name === undefined || use === undefined) continue;
    const count = counts.get(name) ?? nothingCounted();
    count.total += 1;
    if (use !== 'available') count.consuming += 1;
    if (use === 'leaving') count.leaving += 1;
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
 * The same budgets, with room for commands that run later: when a command found now has waited, nodes marked
 * for deletion now are gone (ADR 0031).
 */
export function budgetsAhead(budgets: ReadonlyMap<string, PoolBudget>): ReadonlyMap<string, PoolBudget> {
  return new Map(
    [...budgets].map(([name, budget]) => {
      const remaining = Math.max(0, maxAtOnce(budget) * disruptionTuning.commandsAhead - budget.leaving);
      return [name, { ...budget, remaining }];
    }),
  );
}

/** How many nodes may be disrupted at once when no others are marked for deletion. */
function maxAtOnce({ allowed, consuming, leaving }: PoolBudget): number {
  return Math.max(0, allowed - (consuming - leaving));
}

/**
 * The strictest active budget. As in Karpenter, one invalid schedule blocks the whole pool for every reason, and a
 * budget with an explicit empty list of reasons applies to nothing.
 */
export function allowedDisruptions(
  nodePool: NodePool,
  reason: DisruptionReason,
  total: number,
  at: number,
): number {
  const windows = openWindows(nodePool, at);
  if (windows.includes(undefined)) return 0;
  const active = budgetsOf(nodePool).filter(
    ({ reasons }, index) => windows[index] === true && (reasons === undefined || reasons.includes(reason)),
  );
  return Math.min(unlimitedDisruptions, ...active.map(({ nodes }) => nodesOf(nodes, total)));
}

/** An absent list means the default of the CRD; an explicit empty list removes all limits, as in Karpenter. */
export function budgetsOf({ spec }: NodePool): readonly Budget[] {
  return spec.disruption?.budgets ?? defaultBudgets;
}

/** For each budget, whether it is active now. */
function openWindows(nodePool: NodePool, at: number): readonly (boolean | undefined)[] {
  return budgetsOf(nodePool).map((budget) => isActive(budget, at));
}

/** Undefined if the schedule or the duration is invalid. */
export function isActive({ schedule, duration }: Budget, at: number): boolean | undefined {
  if (schedule === undefined && duration === undefined) return true;
  try {
    const span = nsToDurationMs(parseDuration(duration ?? '0s'));
    return isWindowOpen(parseSchedule(schedule ?? ''), span, at);
  } catch {
    return undefined;
  }
}

/** Percentages round up, as in Karpenter, so that a budget such as 10% does not block a small pool. */
export function nodesOf(text: string, total: number): number {
  if (!text.endsWith('%')) return Number(text);
  return Math.ceil((total * Number(text.slice(0, -1))) / 100);
}

/** How a node counts in the budgets of its pool; undefined if it does not. */
type BudgetUse = 'available' | 'unavailable' | 'leaving' | undefined;

/** Cached by NodeState, which is a new object whenever the node changes: a pass counts all nodes several times. */
const knownUses = new WeakMap<NodeState, BudgetUse>();

function budgetUse(state: NodeState): BudgetUse {
  if (knownUses.has(state)) return knownUses.get(state);
  const use = isCounted(state) ? useOfCounted(state) : undefined;
  knownUses.set(state, use);
  return use;
}

function useOfCounted(state: NodeState): BudgetUse {
  if (isLeaving(state)) return 'leaving';
  return isReady(state.node?.status?.conditions ?? []) ? 'available' : 'unavailable';
}

// As in Karpenter, nodes that are not initialized, or whose instance is terminating, do not count at all.
function isCounted({ nodeClaim, initialized }: NodeState): boolean {
  if (nodeClaim === undefined || !initialized) return false;
  return !isConditionTrue(
    { conditions: nodeClaim.status?.conditions ?? [] },
    nodeClaimConditions.instanceTerminating,
  );
}

/** A Node that a user deletes counts at once; its NodeClaim is deleted only afterwards, because of that. */
function isLeaving({ node, markedForDeletion }: NodeState): boolean {
  return markedForDeletion || node?.metadata.deletionTimestamp !== undefined;
}

function isReady(conditions: readonly { readonly type: string; readonly status: string }[]): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}

/**
 * Nodes taken from budgets so far, by NodePool. Ledgers for several reasons may share it: the budgets differ
 * by reason, but a disrupted node counts against all of them.
 */
export type SpentBudgets = Map<string, number>;

/** Keeps account of what budgets allow while commands are being found. */
export class BudgetLedger {
  readonly #budgets: ReadonlyMap<string, PoolBudget>;
  readonly #spent: SpentBudgets;

  constructor(budgets: ReadonlyMap<string, PoolBudget>, spent: SpentBudgets = new Map()) {
    this.#budgets = budgets;
    this.#spent = spent;
  }

  /** A ledger of the same budgets with the same nodes taken, for another search. */
  copy(): BudgetLedger {
    return new BudgetLedger(this.#budgets, new Map(this.#spent));
  }

  left(nodePool: string): number {
    const remaining = this.#budgets.get(nodePool)?.remaining ?? 0;
    return Math.max(0, remaining - (this.#spent.get(nodePool) ?? 0));
  }

  /**
   * Most nodes of a pool that one command may disrupt: they all go at the same time, however long the command
   * waits.
   */
  most(nodePool: string): number {
    return Math.min(this.left(nodePool), this.atOnce(nodePool));
  }

  /** How many nodes of a pool may be disrupted at the same time. */
  atOnce(nodePool: string): number {
    const budget = this.#budgets.get(nodePool);
    return budget === undefined ? 0 : maxAtOnce(budget);
  }

  /** Whether one node of each named pool may be disrupted; a pool named twice means two. */
  allows(nodePools: readonly string[]): boolean {
    return [...counted(nodePools)].every(([name, count]) => this.most(name) >= count);
  }

  /** Whether it could ever be allowed, given the number of nodes now and no others marked for deletion. */
  mayAllow(nodePools: readonly string[]): boolean {
    return [...counted(nodePools)].every(([name, count]) => this.atOnce(name) >= count);
  }

  take(nodePools: readonly string[]): void {
    for (const name of nodePools) this.#spent.set(name, (this.#spent.get(name) ?? 0) + 1);
  }
}

function counted(nodePools: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of nodePools) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

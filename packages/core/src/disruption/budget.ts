import {
  type Budget,
  type DisruptionReason,
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
  readonly remaining: number;
  /** A schedule or duration cannot be read, so that nothing is allowed. */
  readonly isUnreadable: boolean;
}

/** The budgets of every NodePool for a reason, by name. */
export function poolBudgets(
  { nodePools, nodeStates, at }: Pick<ClusterSnapshot, 'nodePools' | 'nodeStates' | 'at'>,
  reason: DisruptionReason,
): ReadonlyMap<string, PoolBudget> {
  const counts = new Map<string, { total: number; consuming: number }>();
  for (const state of nodeStates) {
    const name = state.view.nodePool;
    if (name === undefined || !isCounted(state)) continue;
    const count = counts.get(name) ?? { total: 0, consuming: 0 };
    count.total += 1;
    if (isAway(state)) count.consuming += 1;
    counts.set(name, count);
  }
  return new Map(
    nodePools.map((nodePool) => {
      const { total, consuming } = counts.get(nodePool.metadata.name) ?? { total: 0, consuming: 0 };
      const allowed = allowedDisruptions(nodePool, reason, total, at);
      const remaining = Math.max(0, allowed - consuming);
      const isUnreadable = openWindows(nodePool, at).includes(undefined);
      return [nodePool.metadata.name, { nodePool, total, allowed, consuming, remaining, isUnreadable }];
    }),
  );
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

/** What budgets leave while commands are made. */
export class BudgetLedger {
  readonly #left: Map<string, number>;
  #hasRefused = false;

  constructor(budgets: ReadonlyMap<string, PoolBudget>) {
    this.#left = new Map([...budgets].map(([name, { remaining }]) => [name, remaining]));
  }

  left(nodePool: string): number {
    return this.#left.get(nodePool) ?? 0;
  }

  /** Whether one more node of each of the pools, as often as it is named, may go. */
  allows(nodePools: readonly string[]): boolean {
    const wanted = new Map<string, number>();
    for (const name of nodePools) wanted.set(name, (wanted.get(name) ?? 0) + 1);
    const isAllowed = [...wanted].every(([name, count]) => this.left(name) >= count);
    if (!isAllowed) this.#hasRefused = true;
    return isAllowed;
  }

  take(nodePools: readonly string[]): void {
    for (const name of nodePools) this.#left.set(name, this.left(name) - 1);
  }

  /** Whether a budget has held anything back. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }
}

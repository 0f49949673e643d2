import { addTo, amountText, type ExactAmounts, largest, parseAmounts } from './amounts.ts';
import type { CheckedCluster } from './cluster.ts';
import type { NewLocation } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Violation } from './violation.ts';

export const oneNode: ExactAmounts = new Map([['nodes', 1_000_000_000n]]);

/** Current resources of the nodes of a NodePool, without those being deleted. */
export function usageOf(pool: PoolFacts, { nodes }: CheckedCluster): Map<string, bigint> {
  const usage = new Map<string, bigint>();
  for (const { view } of nodes.values()) {
    if (view.nodePool !== pool.name || view.deleting) continue;
    addTo(usage, parseAmounts(view.capacity));
    addTo(usage, oneNode);
  }
  return usage;
}

/** The first limit that the usage exceeds. */
export function exceeded(limits: ExactAmounts, usage: ExactAmounts): string | undefined {
  for (const [name, limit] of limits) if ((usage.get(name) ?? 0n) > limit) return name;
  return undefined;
}

/** The planner reads the node count once per plan, so a limit on nodes can only forbid new ones entirely. */
function checkNodeCount(pool: PoolFacts, usage: ExactAmounts): Violation[] {
  const limit = pool.limits.get('nodes');
  if (limit === undefined || (usage.get('nodes') ?? 0n) < limit) return [];
  const detail = `nodepool ${pool.name} has all the nodes that its limit allows and gets another`;
  return [{ rule: 'limits', detail }];
}

function checkPoolLimits(
  pool: PoolFacts,
  nodes: readonly NewLocation[],
  cluster: CheckedCluster,
): Violation[] {
  if (nodes.length === 0 || pool.limits.size === 0) return [];
  const usage = usageOf(pool, cluster);
  const limits = new Map([...pool.limits].filter(([name]) => name !== 'nodes'));
  const total = new Map(usage);
  for (const { types } of nodes) addTo(total, largest(types.map(({ type }) => type.capacity)));
  const violations = checkNodeCount(pool, usage);
  const name = exceeded(limits, total);
  if (name !== undefined) {
    const detail = `nodepool ${pool.name} would have ${amountText(total.get(name) ?? 0n)} of ${name} and may have ${amountText(limits.get(name) ?? 0n)}`;
    violations.push({ rule: 'limits', detail });
  }
  return violations;
}

/** Limits hold for whichever of its types every new node becomes. */
export function checkLimits({ cluster, fresh }: PlanFacts): Violation[] {
  return [...cluster.pools.values()].flatMap((pool) =>
    checkPoolLimits(
      pool,
      fresh.filter((location) => location.pool === pool),
      cluster,
    ),
  );
}

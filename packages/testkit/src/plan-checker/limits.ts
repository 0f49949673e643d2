import { addTo, amountText, type ExactAmounts, largest, parseAmounts } from './amounts.ts';
import type { CheckedCluster } from './cluster.ts';
import type { NewLocation } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { PoolFacts } from './pool-facts.ts';
import type { Violation } from './violation.ts';

export const oneNode: ExactAmounts = new Map([['nodes', 1_000_000_000n]]);

/** What the nodes of a pool have now; those that are going away do not count. */
export function usageOf(pool: PoolFacts, { nodes }: CheckedCluster): Map<string, bigint> {
  const usage = new Map<string, bigint>();
  for (const { view } of nodes.values()) {
    if (view.nodePool !== pool.name || view.deleting) continue;
    addTo(usage, parseAmounts(view.capacity));
    addTo(usage, oneNode);
  }
  return usage;
}

/** The first limit that the usage is past. */
export function exceeded(limits: ExactAmounts, usage: ExactAmounts): string | undefined {
  for (const [name, limit] of limits) if ((usage.get(name) ?? 0n) > limit) return name;
  return undefined;
}

/** The number of nodes is read once for a plan, so it can only forbid new ones altogether. */
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

/** Limits hold whichever of its types every new node turns out to be. */
export function checkLimits({ cluster, fresh }: PlanFacts): Violation[] {
  return [...cluster.pools.values()].flatMap((pool) =>
    checkPoolLimits(
      pool,
      fresh.filter((location) => location.pool === pool),
      cluster,
    ),
  );
}

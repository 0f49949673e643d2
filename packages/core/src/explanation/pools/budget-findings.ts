import type { DisruptionReason } from '../../api/index.ts';
import { type PoolBudget, poolBudgets, unlimitedDisruptions } from '../../disruption/index.ts';
import type { Finding } from '../explanation.ts';
import type { ExplainedCluster } from '../situation.ts';
import { blocked, counted, met } from '../wording.ts';
import { nextAllowed } from './budget-windows.ts';

/** What budgets allow of a NodePool now, by reason; reasons that they treat alike are one finding. */
export function budgetFindings(
  { cluster }: ExplainedCluster,
  nodePool: string,
  reasons: readonly DisruptionReason[],
): readonly Finding[] {
  const alike = new Map<string, { readonly budget: LimitedUntil; readonly names: DisruptionReason[] }>();
  for (const reason of reasons) {
    const found = poolBudgets(cluster, reason).get(nodePool);
    if (found === undefined) continue;
    const until =
      found.remaining > 0 ? undefined : nextAllowed(found.nodePool, reason, { ...found, at: cluster.at });
    const group = alike.get(`${found.allowed} ${until}`) ?? { budget: { ...found, until }, names: [] };
    group.names.push(reason);
    alike.set(`${found.allowed} ${until}`, group);
  }
  return [...alike.values()].map(({ budget, names }) => budgetFinding(budget, names.join(', ')));
}

interface LimitedUntil extends PoolBudget {
  /** When budgets allow a disruption again; undefined if they do now or never will. */
  readonly until: number | undefined;
}

function budgetFinding(
  { nodePool, allowed, consuming, total, ...budget }: LimitedUntil,
  reasons: string,
): Finding {
  const { name } = nodePool.metadata;
  if (budget.isUnreadable)
    return blocked(`a budget of NodePool ${name} cannot be read, which allows nothing`);
  if (allowed === unlimitedDisruptions) return met(`no budget of NodePool ${name} limits ${reasons} now`);
  const text = `the budgets of NodePool ${name} allow ${allowed} of ${counted(total, 'node')} at a time for ${reasons}, ${consuming} in use`;
  if (budget.remaining > 0) return met(text);
  return blocked(text, budget.until === undefined ? {} : { until: budget.until });
}

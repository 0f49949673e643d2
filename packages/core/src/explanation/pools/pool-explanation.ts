import { type DisruptionReason, disruptionReasons, type NodePool } from '../../api/index.ts';
import { type BlockedNode, findCandidates, poolBudgets } from '../../disruption/index.ts';
import { isPoolReady } from '../../provisioning/index.ts';
import { usedOf } from '../changes/candidate-changes.ts';
import { obstacleOf } from '../changes/pool-changes.ts';
import type { Explanation, ExplanationSection, Finding } from '../explanation.ts';
import type { ExplainedCluster } from '../situation.ts';
import { amountText, blocked, counted, dollars, fact, met } from '../wording.ts';
import { budgetFindings } from './budget-findings.ts';
import { type BudgetWindow, budgetWindows, nextAllowed } from './budget-windows.ts';
import { type Launchable, launchableOf, leftOf } from './launchable.ts';

/** Offerings that fit on a screen with the rest. */
const shownOfferings = 5;

/** What a NodePool could launch now, what is left of its limits, and when its nodes may be disrupted. */
export function explainNodePool(explained: ExplainedCluster, pool: NodePool): Explanation {
  const launchable = launchableOf(explained, pool);
  return {
    subject: { kind: 'NodePool', name: pool.metadata.name },
    summary: summaryOf(pool, launchable),
    sections: [
      { title: 'Could launch now', findings: launchFindings(pool, launchable) },
      ...limitsSection(explained, pool),
      { title: 'Disruption', findings: disruptionFindings(explained, pool) },
      ...budgetsSection(pool, explained.cluster.at),
    ],
    changes: [],
  };
}

function summaryOf(pool: NodePool, { offerings, types }: Launchable): string {
  const { name } = pool.metadata;
  if (!isPoolReady(pool)) return `NodePool ${name} is not ready: ${obstacleOf(pool)}.`;
  const [cheapest] = offerings;
  if (cheapest === undefined) return `NodePool ${name} is ready but cannot launch anything now.`;
  return `NodePool ${name} is ready and can launch ${counted(types, 'instance type')} from ${dollars(cheapest.price)}.`;
}

function launchFindings(pool: NodePool, { offerings, types, overLimit }: Launchable): readonly Finding[] {
  const readiness = isPoolReady(pool) ? [] : [blocked(`the NodePool is not ready: ${obstacleOf(pool)}`)];
  const limited =
    overLimit > 0 ? [blocked(`${counted(overLimit, 'further type')} would exceed the limits`)] : [];
  if (offerings.length === 0)
    return [...readiness, ...limited, blocked('no available offering meets its requirements and limits')];
  const shown = offerings
    .slice(0, shownOfferings)
    .map(({ instanceType, capacityType, zones, price }) =>
      fact(`${dollars(price)}  ${instanceType}  ${capacityType}  ${zones.join(' ')}`),
    );
  const rest = offerings.length - shown.length;
  const more = rest > 0 ? [fact(`and ${rest} more, of ${counted(types, 'type')} in all`)] : [];
  return [...readiness, ...shown, ...more, ...limited];
}

function limitsSection({ cluster }: ExplainedCluster, pool: NodePool): readonly ExplanationSection[] {
  const used = usedOf(pool, cluster.nodes);
  const left = leftOf(pool, cluster.nodes);
  const findings = Object.entries(pool.spec.limits ?? {}).map(([resource, text]) => {
    const rest = left[resource] ?? 0;
    const words = `${amountText(resource, used[resource] ?? 0)} of ${text} in use, ${amountText(resource, Math.max(0, rest))} left`;
    return rest > 0 ? met(words) : blocked(words);
  });
  return findings.length === 0 ? [] : [{ title: 'Limits', findings }];
}

const reasons: readonly DisruptionReason[] = [
  disruptionReasons.empty,
  disruptionReasons.underutilized,
  disruptionReasons.drifted,
];

function disruptionFindings(explained: ExplainedCluster, pool: NodePool): readonly Finding[] {
  const { name } = pool.metadata;
  const { consolidationPolicy, consolidateAfter } = pool.spec.disruption;
  return [
    ...budgetFindings(explained, name, reasons),
    nextFinding(explained, pool),
    fact(`consolidation ${consolidationPolicy}, ${consolidateAfter} after the last pod came or went`),
    ...nodeFindings(explained, name),
  ];
}

function nextFinding({ cluster }: ExplainedCluster, pool: NodePool): Finding {
  const times = reasons.flatMap((reason) => {
    const budget = poolBudgets(cluster, reason).get(pool.metadata.name);
    return budget === undefined ? [] : (nextAllowed(pool, reason, { ...budget, at: cluster.at }) ?? []);
  });
  if (times.length === 0) return blocked('budgets allow no disruption, now or later');
  const next = Math.min(...times);
  return next <= cluster.at
    ? met('budgets allow a disruption now')
    : blocked('budgets allow no disruption', { until: next });
}

function nodeFindings({ cluster }: ExplainedCluster, name: string): readonly Finding[] {
  const { candidates, blocked: kept } = findCandidates({ snapshot: cluster, queued: new Set() }, 'graceful');
  const free = candidates.filter(({ nodePool }) => nodePool.metadata.name === name).length;
  const own = kept.filter(({ state }) => state.view.nodePool === name);
  const total = free + own.length;
  if (total === 0) return [fact('it has no nodes')];
  return [
    fact(`${free} of ${counted(total, 'node')} can be disrupted`, {
      details: own.slice(0, 3).map(keptFinding),
    }),
  ];
}

function keptFinding({ state, blocker }: BlockedNode): Finding {
  return blocked(`${state.view.name}: ${blocker.message ?? blocker.cause}`);
}

function budgetsSection(pool: NodePool, at: number): readonly ExplanationSection[] {
  const windows = budgetWindows(pool, at);
  if (windows.every(({ changesAt }) => changesAt === undefined)) return [];
  return [{ title: 'Budgets', findings: windows.map(windowFinding) }];
}

function windowFinding({ budget, isOpen, changesAt }: BudgetWindow): Finding {
  const { nodes, reasons: of, schedule, duration } = budget;
  const when = schedule === undefined ? 'always' : `${schedule} for ${duration}`;
  const what = of === undefined ? 'all reasons' : of.join(', ');
  return fact(`${nodes} for ${what}, ${when}: ${isOpen ? 'in force' : 'not in force'}`, {
    ...(changesAt !== undefined && { until: changesAt }),
  });
}

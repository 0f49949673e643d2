import { annotationKeys, type Budget, type DisruptionReason, disruptionReasons } from '../../api/index.ts';
import { neverDuration, parseDuration } from '../../values/index.ts';
import { accepts } from '../acceptance.ts';
import type { LintFinding } from '../finding.ts';
import { type LintedPool, type LintInput, poolSubject, workloadText } from '../lint-input.ts';
import { poolFinding } from '../pool-rule-texts.ts';
import { coversAlways, opensEver } from './budget-windows.ts';

const allReasons: readonly DisruptionReason[] = Object.values(disruptionReasons);

export function blockingBudgets(pool: LintedPool, { at }: LintInput): readonly LintFinding[] {
  const budgets = pool.nodePool.spec.disruption?.budgets ?? [];
  const blocked = allReasons.filter((reason) =>
    coversSome(
      budgets.filter((budget) => allowsNone(budget) && concerns(budget, reason)),
      at,
    ),
  );
  if (blocked.length === 0) return [];
  const isAll = blocked.length === allReasons.length;
  const what = isAll
    ? 'no node is ever disrupted'
    : `no node is ever disrupted because it is ${blocked.join(' or ')}`;
  return [
    poolFinding(
      'KL005',
      { object: poolSubject(pool), field: 'spec.disruption.budgets' },
      {
        reason: `budgets of 0 nodes hold at every moment, so that ${what}`,
        fix: 'leave a time without a budget of 0, or allow at least 1 node or 10%',
      },
    ),
  ];
}

function coversSome(budgets: readonly Budget[], at: number): boolean {
  return budgets.length > 0 && coversAlways(budgets, at);
}

function allowsNone({ nodes }: Budget): boolean {
  return Number(nodes.replace('%', '')) === 0;
}

function concerns({ reasons }: Budget, reason: DisruptionReason): boolean {
  return reasons === undefined || reasons.includes(reason);
}

export function closedWindows(pool: LintedPool, { at }: LintInput): readonly LintFinding[] {
  const budgets = pool.nodePool.spec.disruption?.budgets ?? [];
  return budgets.flatMap((budget, index) => {
    const opens = opensEver(budget, at);
    if (opens === true) return [];
    const field = `spec.disruption.budgets[${index}].schedule`;
    const { schedule = '', duration = '' } = budget;
    const why =
      opens === undefined ? 'cannot be read, so that it blocks all disruption' : 'never opens a window';
    return [
      poolFinding(
        'KL006',
        { object: poolSubject(pool), field },
        {
          reason: `the schedule ${JSON.stringify(schedule)} for ${duration} ${why}`,
          fix: 'write five fields of cron in UTC with a day that exists, and a duration above 0s',
        },
      ),
    ];
  });
}

/** Certificates of kubelets are valid for a year. */
const certificateAge = '8760h';

export function longLives(pool: LintedPool): readonly LintFinding[] {
  const { expireAfter } = pool.nodePool.spec.template.spec;
  if (expireAfter === undefined || !isLonger(expireAfter)) return [];
  const lives = expireAfter === neverDuration.text ? 'nodes never expire' : `nodes live for ${expireAfter}`;
  return [
    poolFinding(
      'KL007',
      { object: poolSubject(pool), field: 'spec.template.spec.expireAfter' },
      {
        reason: `${lives}, and the certificates of their kubelets are valid for a year (${certificateAge})`,
        fix: 'set expireAfter to 720h, or to anything below a year',
      },
    ),
  ];
}

function isLonger(text: string): boolean {
  if (text === neverDuration.text) return true;
  return parseDuration(text) > parseDuration(certificateAge);
}

const jobKinds: ReadonlySet<string> = new Set(['Job', 'CronJob']);

export function disruptedJobs(pool: LintedPool, input: LintInput): readonly LintFinding[] {
  const { consolidateAfter, consolidationPolicy } = pool.nodePool.spec.disruption ?? {};
  if (consolidateAfter === undefined || consolidateAfter === neverDuration.text) return [];
  if (parseDuration(consolidateAfter) > 0n) return [];
  const jobs = input.workloads.filter(
    (workload) =>
      jobKinds.has(workload.kind) && !isProtected(workload.annotations) && accepts(pool, workload, input),
  );
  const [first] = jobs;
  if (first === undefined) return [];
  const names = `${workloadText(first)}${jobs.length > 1 ? ` and ${jobs.length - 1} more` : ''}`;
  const reason =
    consolidationPolicy === 'WhenEmpty'
      ? `a node goes as soon as ${names} ends, so that every run waits for a new node, and drift and expiry evict a run`
      : `${names} may be evicted as soon as its node is underutilized, and starts again`;
  return [
    poolFinding(
      'KL004',
      { object: poolSubject(pool), field: 'spec.disruption.consolidateAfter' },
      {
        reason,
        fix: `annotate the pods with ${annotationKeys.doNotDisrupt}: "true", and set consolidateAfter to the time between runs`,
      },
    ),
  ];
}

/** Also a duration, during which the pod is not disrupted. */
function isProtected(annotations: Readonly<Record<string, string>>): boolean {
  return (annotations[annotationKeys.doNotDisrupt] ?? 'false') !== 'false';
}

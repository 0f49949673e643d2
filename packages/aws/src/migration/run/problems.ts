import type { DrainOptions } from './next-step.ts';
import type { ObservedCluster, ObservedPod } from './observed-cluster.ts';
import type { GroupRecord, MigrationProgress } from './progress.ts';

const resume = 'then run it again, or roll back';

/** Why a group cannot be drained as it is; undefined if it can. */
export function groupProblem(
  { name }: GroupRecord,
  pods: readonly ObservedPod[],
  { force }: DrainOptions,
): string | undefined {
  const isProtected = ({ protection, isTerminating }: ObservedPod) =>
    protection !== undefined && !isTerminating;
  const kept = force ? undefined : pods.find(isProtected);
  if (kept !== undefined)
    return `group ${name} cannot be drained: pod ${kept.key} ${kept.protection}; delete the pod when its work is done, or evict such pods with --force`;
  const stuck = pods.find(({ deadlock }) => deadlock !== undefined);
  return stuck === undefined
    ? undefined
    : `group ${name} cannot be drained: pod ${stuck.key} cannot be evicted, because ${stuck.deadlock}; change the budget or add replicas, ${resume}`;
}

interface DrainContext {
  readonly record: GroupRecord;
  readonly observed: ObservedCluster;
  readonly options: DrainOptions;
}

/** How long a budget may look exhausted before that counts as a deadlock: its status lags behind the pods. */
const budgetLagMs = 60_000;

/** Why the drain of nodes makes no progress; undefined while it may. */
export function drainProblem(
  pods: readonly ObservedPod[],
  { record, observed, options }: DrainContext,
): string | undefined {
  for (const pod of pods) {
    const age = observed.now - (record.drains[pod.nodeName ?? ''] ?? observed.now);
    if (pod.deadlock !== undefined && age > budgetLagMs && !pod.isTerminating)
      return `the drain of node ${pod.nodeName} is stuck: pod ${pod.key} cannot be evicted, because ${pod.deadlock}; change the budget or add replicas, ${resume}`;
    if (age > options.timeoutMs)
      return `the drain of node ${pod.nodeName} takes more than ${minutes(options.timeoutMs)}: pod ${pod.key} ${pod.isTerminating ? 'does not end' : 'is not evicted, because its PodDisruptionBudget allows no disruption'}; see what it waits for, ${resume}`;
  }
  return undefined;
}

interface SettlingContext {
  readonly progress: MigrationProgress;
  readonly observed: ObservedCluster;
  readonly options: DrainOptions;
}

/** Why replacements of evicted pods do not become Ready; undefined while they may. */
export function settlingProblem(
  unsettled: readonly ObservedPod[],
  { progress, observed, options }: SettlingContext,
): string | undefined {
  const pool = observed.unhealthyPools.find(({ since }) => since >= progress.startedAt);
  if (pool !== undefined)
    return `nodes of NodePool ${pool.name} fail to register: ${pool.message || 'see its condition NodeRegistrationHealthy'}; correct its EC2NodeClass, ${resume}`;
  const late = unsettled.find(({ createdAt }) => observed.now - createdAt > options.timeoutMs);
  if (late === undefined) return undefined;
  const cause =
    late.nodeName === undefined
      ? `has no node: ${late.schedulerMessage ?? 'no NodePool fits it'}`
      : `is not Ready on node ${late.nodeName}`;
  return `pod ${late.key} ${cause} after ${minutes(options.timeoutMs)}; karpenter explain pod ${late.name} -n ${late.namespace} says why; correct it, ${resume}`;
}

function minutes(milliseconds: number): string {
  return `${Math.round(milliseconds / 60_000)} minutes`;
}

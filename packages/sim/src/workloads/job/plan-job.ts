import type { Instant } from '@karpenter/kube/runtime';
import type { Job, JobStatus } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { isControlledBy } from '../../objects/object-key.ts';
import { isActive, isReady, isTerminating } from '../../objects/pod-status.ts';
import { instantOf, timestamp } from '../../objects/timestamp.ts';
import { deletionOrder } from '../replica-set/plan-replica-set.ts';
import { formatIndexes } from './completed-indexes.ts';
import { countPods, type JobCounts } from './job-counts.ts';

export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
const defaultBackoffLimit = 6;
const firstRetryMs = 10_000;
const maxRetryMs = 10 * 60_000;

export interface JobPlan {
  /** One entry per pod to create: its completion index, or undefined for a Job that is not Indexed. */
  readonly create: readonly (number | undefined)[];
  readonly remove: readonly Pod[];
  /** Finished pods that the new status includes; their finalizer can be removed. */
  readonly counted: readonly Pod[];
  readonly status: JobStatus;
  /** Whether ttlSecondsAfterFinished has passed. */
  readonly isExpired: boolean;
  readonly requeueAfterMs?: number;
}

export function isJobFinished({ status }: Job): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  );
}

/** Decides the next step of a Job from its pods. A pure function of the objects and the time. */
export function planJob(job: Job, pods: readonly Pod[], now: Instant): JobPlan {
  const owned = pods.filter((pod) => isControlledBy(pod, job));
  const active = owned.filter(isActive);
  if (isJobFinished(job)) return planFinished(job, owned, now);
  const counts = countPods(job, owned);
  const end = endOfJob(job, counts, now);
  if (end !== undefined || job.spec?.suspend === true || isTerminating(job)) {
    const status = statusOf(job, { active: end === undefined ? active : [], counts, end, now });
    return { create: [], remove: active, counted: counts.newlyCounted, status, isExpired: false };
  }
  const delay = retryDelay(counts, now);
  const wanted = delay > 0 ? Math.min(active.length, wantedActive(job, counts)) : wantedActive(job, counts);
  const create =
    wanted > active.length ? nextIndexes(job, { active, counts, count: wanted - active.length }) : [];
  const surplus = Math.max(0, active.length - wanted);
  const deadline = deadlineIn(job, now);
  const waits = [delay, deadline].filter((wait) => wait !== undefined && wait > 0);
  return {
    create,
    remove: surplus > 0 ? deletionOrder(active).slice(0, surplus) : [],
    counted: counts.newlyCounted,
    status: statusOf(job, { active, counts, end: undefined, now }),
    isExpired: false,
    ...(waits.length > 0 && { requeueAfterMs: Math.min(...waits.filter((wait) => wait !== undefined)) }),
  };
}

function planFinished(job: Job, owned: readonly Pod[], now: Instant): JobPlan {
  const end = instantOf(
    job.status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed')?.lastTransitionTime,
  );
  const ttl = job.spec?.ttlSecondsAfterFinished;
  const left = ttl === undefined ? undefined : (end ?? now) + ttl * 1000 - now;
  const rest = { create: [], remove: owned.filter(isActive), status: job.status ?? {} };
  const counted = countPods(job, owned).newlyCounted;
  if (left === undefined) return { ...rest, counted, isExpired: false };
  return {
    ...rest,
    counted,
    isExpired: left <= 0 && !isTerminating(job),
    ...(left > 0 && { requeueAfterMs: left }),
  };
}

interface JobEnd {
  readonly type: 'Complete' | 'Failed';
  readonly reason: string;
  readonly message: string;
}

function endOfJob(job: Job, counts: JobCounts, now: Instant): JobEnd | undefined {
  const limit = job.spec?.backoffLimit ?? defaultBackoffLimit;
  if (counts.failed > limit || counts.restarts > limit) {
    const message = 'Job has reached the specified backoff limit';
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message };
  }
  const deadline = deadlineIn(job, now);
  if (deadline !== undefined && deadline <= 0) {
    return {
      type: 'Failed',
      reason: 'DeadlineExceeded',
      message: 'Job was active longer than specified deadline',
    };
  }
  if (!isDone(job, counts)) return undefined;
  return {
    type: 'Complete',
    reason: 'CompletionsReached',
    message: 'Reached expected number of succeeded pods',
  };
}

/** Without completions, one success is enough once all other pods have ended. */
function isDone({ spec }: Job, { succeeded, active }: JobCounts): boolean {
  const completions = spec?.completions;
  return completions === undefined ? succeeded > 0 && active === 0 : succeeded >= completions;
}

function wantedActive({ spec }: Job, { succeeded, active }: JobCounts): number {
  const parallelism = spec?.parallelism ?? 1;
  if (spec?.completions === undefined) return succeeded > 0 ? Math.min(active, parallelism) : parallelism;
  return Math.min(parallelism, Math.max(0, spec.completions - succeeded));
}

/** The backoff of new pods after a failure, which doubles with each failure. */
function retryDelay({ failed, lastFailureAt }: JobCounts, now: Instant): number {
  if (failed === 0 || lastFailureAt === undefined) return 0;
  const backoff = Math.min(maxRetryMs, firstRetryMs * 2 ** (failed - 1));
  return Math.max(0, lastFailureAt + backoff - now);
}

/** The deadline counts from the start of the Job, not of its pods: retries do not extend it. */
function deadlineIn({ spec, status }: Job, now: Instant): number | undefined {
  const start = instantOf(status?.startTime);
  if (spec?.activeDeadlineSeconds === undefined || start === undefined) return undefined;
  return start + spec.activeDeadlineSeconds * 1000 - now;
}

function nextIndexes(
  { spec }: Job,
  { active, counts, count }: Pick<JobProgress, 'active' | 'counts'> & { readonly count: number },
): readonly (number | undefined)[] {
  if (spec?.completionMode !== 'Indexed') return Array.from({ length: count }, () => undefined);
  const taken = new Set(active.map(({ metadata }) => Number(metadata?.annotations?.[indexAnnotation] ?? -1)));
  const free: number[] = [];
  for (let index = 0; index < (spec.completions ?? 0) && free.length < count; index += 1) {
    if (!taken.has(index) && !counts.completed.has(index)) free.push(index);
  }
  return free;
}

interface JobProgress {
  readonly active: readonly Pod[];
  readonly counts: JobCounts;
  readonly end: JobEnd | undefined;
  readonly now: Instant;
}

function statusOf(job: Job, { active, counts, end, now }: JobProgress): JobStatus {
  const isIndexed = job.spec?.completionMode === 'Indexed';
  const start = job.status?.startTime ?? (job.spec?.suspend === true ? undefined : timestamp(now));
  return {
    ...(start !== undefined && { startTime: start }),
    active: active.length,
    ready: active.filter(isReady).length,
    terminating: counts.terminating,
    succeeded: counts.succeeded,
    failed: counts.failed,
    ...(isIndexed && { completedIndexes: formatIndexes(counts.completed) }),
    uncountedTerminatedPods: {},
    ...(end?.type === 'Complete' && { completionTime: timestamp(now) }),
    conditions: [...otherConditions(job), ...endConditions(end, now)],
  };
}

function otherConditions(job: Job) {
  const ends = new Set(['Complete', 'Failed', 'SuccessCriteriaMet', 'FailureTarget']);
  return (job.status?.conditions ?? []).filter(({ type }) => !ends.has(type));
}

/** Newer API servers require SuccessCriteriaMet or FailureTarget before the final condition. */
function endConditions(end: JobEnd | undefined, now: Instant) {
  if (end === undefined) return [];
  const at = timestamp(now);
  const { reason, message } = end;
  return [end.type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', end.type].map((type) => ({
    type,
    status: 'True',
    reason,
    message,
    lastProbeTime: at,
    lastTransitionTime: at,
  }));
}

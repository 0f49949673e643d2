import { nextAfter, parseSchedule } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import type { Instant } from '@karpenter/kube/runtime';
import type { CronJob, Job } from 'kubernetes-types/batch/v1.js';
import { isControlledBy } from '../../objects/object-key.ts';
import { instantOf, timestamp } from '../../objects/timestamp.ts';
import { isJobFinished } from '../job/plan-job.ts';
import { controllerReference } from '../pod-template.ts';

export interface CronJobPlan {
  readonly create?: Job;
  readonly remove: readonly Job[];
  readonly active: readonly Job[];
  readonly lastScheduleTime: string | undefined;
  readonly requeueAfterMs: number | undefined;
}

/** Decides which Job to create and which to delete. A pure function of the objects and the time. */
export function planCronJob(cronJob: CronJob, jobs: readonly Job[], now: Instant): CronJobPlan {
  const owned = jobs.filter((job) => isControlledBy(job, cronJob));
  const active = owned.filter((job) => !isJobFinished(job));
  const history = beyondHistoryLimit(cronJob, owned);
  const due = lastDue(cronJob, now);
  const rest = { lastScheduleTime: cronJob.status?.lastScheduleTime, requeueAfterMs: nextIn(cronJob, now) };
  if (due === undefined || cronJob.spec?.suspend === true) return { ...rest, remove: history, active };
  const policy = cronJob.spec?.concurrencyPolicy ?? 'Allow';
  if (policy === 'Forbid' && active.length > 0) return { ...rest, remove: history, active };
  const create = jobAt(cronJob, due);
  const isMade = owned.some(({ metadata }) => metadata?.name === create.metadata?.name);
  return {
    ...(!isMade && { create }),
    remove: [...history, ...(policy === 'Replace' && !isMade ? active : [])],
    active,
    lastScheduleTime: timestamp(due),
    requeueAfterMs: rest.requeueAfterMs,
  };
}

function scheduleOf({ spec }: CronJob) {
  return parseSchedule(
    spec?.timeZone === undefined ? (spec?.schedule ?? '') : `TZ=${spec.timeZone} ${spec.schedule}`,
  );
}

/**
 * The latest scheduled time since the last run that has passed and is within startingDeadlineSeconds. Earlier
 * missed times are skipped, as in Kubernetes.
 */
function lastDue(cronJob: CronJob, now: Instant): Instant | undefined {
  const schedule = scheduleOf(cronJob);
  const { status, metadata, spec } = cronJob;
  let since = instantOf(status?.lastScheduleTime) ?? instantOf(metadata?.creationTimestamp) ?? now;
  const deadline = spec?.startingDeadlineSeconds;
  if (deadline !== undefined) since = Math.max(since, now - deadline * 1000);
  let due: Instant | undefined;
  for (
    let next = nextAfter(schedule, since);
    next !== undefined && next <= now;
    next = nextAfter(schedule, next)
  ) {
    due = next;
  }
  return due;
}

function nextIn(cronJob: CronJob, now: Instant): number | undefined {
  if (cronJob.spec?.suspend === true) return undefined;
  const next = nextAfter(scheduleOf(cronJob), now);
  return next === undefined ? undefined : next - now;
}

/** The name contains the scheduled time in minutes, so that a retry cannot create a second Job. */
function jobAt({ metadata = {}, spec }: CronJob, at: Instant): Job {
  const template = spec?.jobTemplate;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...template?.metadata,
      name: `${metadata.name ?? ''}-${Math.floor(at / 60_000)}`,
      namespace: metadata.namespace ?? 'default',
      annotations: {
        ...template?.metadata?.annotations,
        'batch.kubernetes.io/cronjob-scheduled-timestamp': timestamp(at),
      },
      ownerReferences: [controllerReference({ kind: kinds.cronJob, metadata })],
    },
    ...(template?.spec !== undefined && { spec: template.spec }),
  };
}

/** Finished Jobs beyond the history limits; the newest are kept. */
function beyondHistoryLimit({ spec }: CronJob, owned: readonly Job[]): readonly Job[] {
  const ended = (type: string) =>
    owned
      .filter(({ status }) => status?.conditions?.some((one) => one.type === type && one.status === 'True'))
      .toSorted(
        (a, b) =>
          (instantOf(b.metadata?.creationTimestamp) ?? 0) - (instantOf(a.metadata?.creationTimestamp) ?? 0),
      );
  return [
    ...ended('Complete').slice(spec?.successfulJobsHistoryLimit ?? 3),
    ...ended('Failed').slice(spec?.failedJobsHistoryLimit ?? 1),
  ];
}

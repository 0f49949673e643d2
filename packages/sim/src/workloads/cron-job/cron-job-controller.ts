import { isAlreadyExists, keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf, type ReconcileResult } from '@karpenter/kube/runtime';
import type { Job } from 'kubernetes-types/batch/v1.js';
import { controllerOf } from '../../objects/object-key.ts';
import {
  type ControllerSetup,
  ignoreNotFound,
  ignoreNotFoundOrConflict,
  requeueIn,
  type WorkloadControllerContext,
} from '../controller-setup.ts';
import { isSameStatus } from '../object-status.ts';
import { planCronJob } from './plan-cron-job.ts';

/** Creates Jobs on schedule and deletes those beyond the history limits. */
export function cronJobController({ caches, client, clock }: WorkloadControllerContext): ControllerSetup {
  const cronJobs = caches.of(kinds.cronJob);
  const jobs = caches.of(kinds.job, { cronJob: (job) => [controllerOf(job)?.uid ?? ''] });

  async function reconcile(key: string): Promise<ReconcileResult | undefined> {
    const cronJob = cronJobs.get(parseKey(key));
    if (cronJob === undefined || cronJob.metadata?.deletionTimestamp !== undefined) return undefined;
    const plan = planCronJob(cronJob, jobs.byIndex('cronJob', cronJob.metadata?.uid ?? ''), clock.now());
    for (const job of plan.remove) {
      await client.delete(kinds.job, keyOf(job), { propagationPolicy: 'Background' }).catch(ignoreNotFound);
    }
    if (plan.create !== undefined) await create(plan.create);
    const { lastScheduleTime } = plan;
    const status = {
      active: plan.active.map(reference),
      ...(lastScheduleTime !== undefined && { lastScheduleTime }),
    };
    if (!isSameStatus(cronJob.status, status)) {
      const patch = { type: 'merge', body: { status } } as const;
      await client
        .patch(kinds.cronJob, keyOf(cronJob), patch, { subresource: 'status' })
        .catch(ignoreNotFoundOrConflict);
    }
    return requeueIn(plan.requeueAfterMs);
  }

  async function create(job: Job): Promise<void> {
    try {
      await client.create(kinds.job, job);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  return {
    controller: { name: 'cronjob', concurrency: 2, reconcile },
    sources: [
      changesOf(cronJobs),
      changesOf(jobs, ({ object }) => {
        const owner = controllerOf(object);
        return owner?.kind === 'CronJob' ? [`${object.metadata?.namespace ?? ''}/${owner.name}`] : [];
      }),
    ],
  };
}

function reference({ metadata }: Job) {
  const { name, namespace, uid } = metadata ?? {};
  return { apiVersion: 'batch/v1', kind: 'Job', name, namespace, uid };
}

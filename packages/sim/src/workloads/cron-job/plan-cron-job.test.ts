import type { CronJob, CronJobSpec, Job } from 'kubernetes-types/batch/v1.js';
import { describe, expect, it } from 'vitest';
import { planCronJob } from './plan-cron-job.ts';

const now = Date.UTC(2026, 0, 1, 12, 7, 30);

function cronJobOf(spec: Partial<CronJobSpec> = {}, lastScheduleTime = '2026-01-01T12:00:00Z'): CronJob {
  return {
    metadata: { name: 'backup', namespace: 'default', uid: 'cron' },
    spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: {} } }, ...spec },
    status: { lastScheduleTime },
  };
}

function jobOf(name: string, condition?: string): Job {
  return {
    metadata: {
      name,
      creationTimestamp: '2026-01-01T11:00:00Z',
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'CronJob', name: 'backup', uid: 'cron', controller: true },
      ],
    },
    status: { conditions: condition ? [{ type: condition, status: 'True' }] : [] },
  };
}

describe('a CronJob', () => {
  it('creates the Job of the latest past schedule once and requeues for the next', () => {
    const plan = planCronJob(cronJobOf(), [], now);

    expect(plan.create?.metadata?.name).toBe(`backup-${Date.UTC(2026, 0, 1, 12, 5) / 60_000}`);
    expect(plan).toMatchObject({ lastScheduleTime: '2026-01-01T12:05:00Z', requeueAfterMs: 150_000 });
    expect(planCronJob(cronJobOf({}, '2026-01-01T12:05:00Z'), [], now).create).toBeUndefined();
  });

  it.each([
    ['Allow', true, 0],
    ['Forbid', false, 0],
    ['Replace', true, 1],
  ])('applies the concurrency policy %s to a Job that still runs', (concurrencyPolicy, isMade, removed) => {
    const plan = planCronJob(cronJobOf({ concurrencyPolicy }), [jobOf('backup-1')], now);

    expect([plan.create !== undefined, plan.remove.length]).toEqual([isMade, removed]);
  });

  it('creates nothing while suspended or after the starting deadline', () => {
    expect(planCronJob(cronJobOf({ suspend: true }), [], now).create).toBeUndefined();
    expect(planCronJob(cronJobOf({ startingDeadlineSeconds: 60 }), [], now).create).toBeUndefined();
  });

  it('keeps three successful Jobs and one failed Job', () => {
    const jobs = [
      ...['1', '2', '3', '4'].map((name) => jobOf(name, 'Complete')),
      jobOf('5', 'Failed'),
      jobOf('6', 'Failed'),
    ];

    expect(planCronJob(cronJobOf({ suspend: true }), jobs, now).remove).toHaveLength(2);
  });
});

import type { Job, JobSpec } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { describe, expect, it } from 'vitest';
import { formatIndexes, parseIndexes } from './completed-indexes.ts';
import { trackingFinalizer } from './job-counts.ts';
import { indexAnnotation, planJob } from './plan-job.ts';

const now = Date.UTC(2026, 0, 1);
const startTime = new Date(now - 60_000).toISOString();

function jobOf(spec: Partial<JobSpec>, status: Job['status'] = {}): Job {
  return {
    metadata: { name: 'sum', uid: 'job' },
    spec: { template: {}, ...spec },
    status: { startTime, ...status },
  };
}

function pod(phase: string, rest: { index?: number; isCounted?: boolean; endedAt?: number } = {}): Pod {
  const finishedAt = new Date(rest.endedAt ?? now - 1_000).toISOString();
  return {
    metadata: {
      ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'sum', uid: 'job', controller: true }],
      ...(!rest.isCounted && { finalizers: [trackingFinalizer] }),
      ...(rest.index !== undefined && { annotations: { [indexAnnotation]: String(rest.index) } }),
    },
    status: {
      phase,
      ...(phase === 'Failed' && {
        containerStatuses: [
          {
            name: 'main',
            image: '',
            imageID: '',
            ready: false,
            restartCount: 0,
            state: { terminated: { exitCode: 1, finishedAt } },
          },
        ],
      }),
    },
  };
}

const typesOf = ({ status }: { status: Job['status'] }) =>
  status?.conditions?.map(({ type, reason }) => `${type} ${reason}`);

describe('a Job', () => {
  it('keeps parallelism pods until all completions are reached', () => {
    const job = jobOf({ completions: 5, parallelism: 3 });

    expect(planJob(job, [pod('Running')], now).create).toHaveLength(2);
    expect(planJob({ ...job, status: { startTime, succeeded: 4 } }, [], now).create).toHaveLength(1);
  });

  it('counts a finished pod once, by its finalizer', () => {
    const plan = planJob(
      jobOf({ completions: 3 }, { succeeded: 1 }),
      [pod('Succeeded'), pod('Succeeded', { isCounted: true })],
      now,
    );

    expect(plan.status.succeeded).toBe(2);
    expect(plan.counted).toHaveLength(1);
  });

  it('completes at its completions and sets both conditions', () => {
    const plan = planJob(jobOf({ completions: 1 }), [pod('Succeeded')], now);

    expect(typesOf(plan)).toEqual(['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
    expect(plan.status.completionTime).toBe('2026-01-01T00:00:00Z');
  });

  it('without completions is done with one success and no active pod', () => {
    const job = jobOf({ parallelism: 2 });

    expect(typesOf(planJob(job, [pod('Succeeded'), pod('Running')], now))).toEqual([]);
    expect(typesOf(planJob(job, [pod('Succeeded')], now))).toContain('Complete CompletionsReached');
  });

  it('waits longer after each failure', () => {
    const failed = pod('Failed', { endedAt: now - 4_000 });
    const plan = planJob(jobOf({ completions: 1 }), [failed], now);

    expect(plan).toMatchObject({ create: [], status: { failed: 1 }, requeueAfterMs: 6_000 });
    expect(planJob(jobOf({ completions: 1 }), [failed], now + 6_000).create).toHaveLength(1);
    expect(planJob(jobOf({ completions: 1 }, { failed: 2 }), [failed], now + 6_000).requeueAfterMs).toBe(
      30_000,
    );
  });

  it('fails beyond its backoff limit and its deadline, and deletes active pods', () => {
    const overdue = planJob(jobOf({ activeDeadlineSeconds: 60 }), [pod('Running')], now);

    expect(typesOf(overdue)).toEqual(['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded']);
    expect(overdue.remove).toHaveLength(1);
    expect(typesOf(planJob(jobOf({ backoffLimit: 0 }), [pod('Failed')], now))).toContain(
      'Failed BackoffLimitExceeded',
    );
  });

  it('with Indexed completion creates the lowest indexes that neither run nor are completed', () => {
    const job = jobOf(
      { completions: 6, parallelism: 3, completionMode: 'Indexed' },
      { completedIndexes: '0,2' },
    );
    const plan = planJob(job, [pod('Running', { index: 1 }), pod('Succeeded', { index: 3 })], now);

    expect(plan.create).toEqual([4, 5]);
    expect(plan.status).toMatchObject({ succeeded: 3, completedIndexes: '0,2,3' });
  });

  it('expires after ttlSecondsAfterFinished', () => {
    const conditions = [
      { type: 'Complete', status: 'True', lastTransitionTime: new Date(now - 10_000).toISOString() },
    ];
    const ended = (ttlSecondsAfterFinished: number) =>
      planJob(jobOf({ ttlSecondsAfterFinished }, { conditions }), [], now);

    expect(ended(10).isExpired).toBe(true);
    expect(ended(15)).toMatchObject({ isExpired: false, requeueAfterMs: 5_000 });
  });
});

describe('completed indexes', () => {
  it.each(['', '0', '0,1', '1,3-5,7', '0-9'])('round-trip: %j', (text) => {
    expect(formatIndexes(parseIndexes(text))).toBe(text);
  });
});

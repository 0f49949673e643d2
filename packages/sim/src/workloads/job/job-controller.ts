import { keyOf, kinds, parseKey } from '@karpenter/kube/client';
import { changesOf, type ReconcileResult } from '@karpenter/kube/runtime';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { controllerOf } from '../../objects/object-key.ts';
import {
  type ControllerSetup,
  ignoreNotFound,
  ignoreNotFoundOrConflict,
  requeueIn,
  staleCacheRetryMs,
  type WorkloadControllerContext,
} from '../controller-setup.ts';
import { isSameStatus } from '../object-status.ts';
import { ownedPods, podsOf } from '../owned-pods.ts';
import { PendingWrites } from '../pending-writes.ts';
import { podFrom } from '../pod-template.ts';
import { PodWrites, withWorkers } from '../pod-writes.ts';
import { trackingFinalizer } from './job-counts.ts';
import { indexAnnotation, isJobFinished, planJob } from './plan-job.ts';

/** Runs Jobs. Counts each finished pod exactly once by means of the tracking finalizer. */
export function jobController(context: WorkloadControllerContext): ControllerSetup {
  const { caches, client, clock, events } = context;
  const jobs = caches.of(kinds.job);
  const pods = ownedPods(caches);
  const pending = new PendingWrites(pods, clock);
  const writes = new PodWrites(context, pending);

  async function reconcile(key: string): Promise<ReconcileResult | undefined> {
    const job = jobs.get(parseKey(key));
    if (job === undefined) return undefined;
    if (!pending.areObserved(key) || !isCountObserved(key, job)) return requeueIn(staleCacheRetryMs);
    const owned = podsOf(pods, job);
    const plan = planJob(job, owned.map(asCounted), clock.now());
    if (plan.isExpired) {
      await client.delete(kinds.job, keyOf(job), { propagationPolicy: 'Foreground' }).catch(ignoreNotFound);
      return undefined;
    }
    // Write the count before removing finalizers: a finished pod without its finalizer must already be in the
    // status, or a crash in between would lose it.
    if (!isSameStatus(job.status, plan.status)) await writeStatus(key, job, plan.status);
    for (const { metadata } of plan.counted) counted.add(metadata?.uid ?? '');
    await withWorkers(owned.filter(isCountedButHeld), release);
    const owner = { kind: kinds.job, metadata: job.metadata ?? {} };
    await writes.create(
      key,
      owner,
      plan.create.map((index) => podOf(job, index)),
    );
    await writes.remove(key, owner, plan.remove);
    return requeueIn(plan.create.length + plan.remove.length > 0 ? staleCacheRetryMs : plan.requeueAfterMs);
  }

  const written = new Map<string, Count>();
  /** Uids of pods that the status counts although the cache still shows their finalizer. */
  const counted = new Set<string>();

  function isCountedButHeld({ metadata }: Pod): boolean {
    return counted.has(metadata?.uid ?? '') && (metadata?.finalizers?.includes(trackingFinalizer) ?? false);
  }

  function asCounted(pod: Pod): Pod {
    return isCountedButHeld(pod) ? { ...pod, metadata: { ...pod.metadata, finalizers: [] } } : pod;
  }

  /**
   * Whether the cache shows the counts written last. Counting from an older status would count pods twice.
   */
  function isCountObserved(key: string, job: Job): boolean {
    const expected = written.get(key);
    const shown = countOf(job);
    if (expected !== undefined && expected.uid === shown.uid && expected.text !== shown.text) return false;
    written.delete(key);
    return true;
  }

  async function writeStatus(key: string, job: Job, status: object): Promise<void> {
    const patch = { type: 'merge', body: { status } } as const;
    const updated = await client.patch(kinds.job, keyOf(job), patch, { subresource: 'status' });
    written.set(key, countOf(updated));
    if (!isJobFinished(job) && isJobFinished(updated)) reportEnd(updated);
  }

  function reportEnd(job: Job): void {
    const end = job.status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
    const isComplete = end?.type === 'Complete';
    events.publish(kinds.job, job, {
      type: isComplete ? 'Normal' : 'Warning',
      reason: isComplete ? 'Completed' : (end?.reason ?? 'Failed'),
      message: isComplete ? 'Job completed' : (end?.message ?? ''),
    });
  }

  async function release(pod: Pod): Promise<void> {
    const body = { metadata: { finalizers: remaining(pod), uid: pod.metadata?.uid } };
    await client.patch(kinds.pod, keyOf(pod), { type: 'merge', body }).catch(ignoreNotFoundOrConflict);
  }

  return {
    controller: { name: 'job', concurrency: 5, reconcile },
    sources: [
      pending.deletions,
      changesOf(jobs),
      changesOf(pods, ({ type, object }) => {
        const owner = controllerOf(object);
        if (type === 'deleted') counted.delete(object.metadata?.uid ?? '');
        return owner?.kind === 'Job' ? [`${object.metadata?.namespace ?? ''}/${owner.name}`] : [];
      }),
    ],
  };
}

function remaining({ metadata }: Pod): readonly string[] {
  return (metadata?.finalizers ?? []).filter((finalizer) => finalizer !== trackingFinalizer);
}

interface Count {
  readonly uid: string | undefined;
  readonly text: string;
}

function countOf({ metadata, status }: Job): Count {
  const text = JSON.stringify([status?.succeeded ?? 0, status?.failed ?? 0, status?.completedIndexes ?? '']);
  return { uid: metadata?.uid, text };
}

function podOf({ metadata = {}, spec }: Job, index: number | undefined): Pod {
  const owner = { kind: kinds.job, metadata };
  const indexed = index === undefined ? {} : { [indexAnnotation]: String(index) };
  return podFrom(spec?.template ?? {}, owner, {
    ...(index !== undefined && { generateName: `${metadata.name ?? ''}-${index}-` }),
    labels: indexed,
    annotations: indexed,
    finalizers: [trackingFinalizer],
  });
}

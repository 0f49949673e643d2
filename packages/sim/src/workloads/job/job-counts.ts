import type { Instant } from '@karpenter/kube/runtime';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { Pod } from 'kubernetes-types/core/v1.js';
import { isActive, isFinished, isTerminating } from '../../objects/pod-status.ts';
import { instantOf } from '../../objects/timestamp.ts';
import { parseIndexes } from './completed-indexes.ts';

/** Keeps finished pods until the Job controller has counted them. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

export interface JobCounts {
  readonly active: number;
  readonly terminating: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly restarts: number;
  readonly completed: ReadonlySet<number>;
  /** Finished pods that the status does not include yet. */
  readonly newlyCounted: readonly Pod[];
  readonly lastFailureAt: Instant | undefined;
}

/** Adds the finished pods that still have their finalizer to the counts of the status. */
export function countPods(job: Job, owned: readonly Pod[]): JobCounts {
  const isUncounted = ({ metadata }: Pod) => metadata?.finalizers?.includes(trackingFinalizer) ?? false;
  const uncounted = owned.filter((pod) => isUncounted(pod) && (isFinished(pod) || isTerminating(pod)));
  const newlyCounted = uncounted.filter((pod) => isFinished(pod) || hasEnded(pod));
  const succeededPods = newlyCounted.filter(({ status }) => status?.phase === 'Succeeded');
  const failedPods = newlyCounted.filter(({ status }) => status?.phase !== 'Succeeded');
  const completed = new Set(parseIndexes(job.status?.completedIndexes ?? ''));
  for (const index of succeededPods.map(indexOf)) if (index !== undefined) completed.add(index);
  const isIndexed = job.spec?.completionMode === 'Indexed';
  return {
    active: owned.filter(isActive).length,
    terminating: owned.filter((pod) => isTerminating(pod) && !isFinished(pod)).length,
    succeeded: isIndexed ? completed.size : (job.status?.succeeded ?? 0) + succeededPods.length,
    failed: (job.status?.failed ?? 0) + failedPods.length,
    restarts: owned.reduce((sum, pod) => sum + restartsOf(pod), 0),
    completed,
    newlyCounted,
    lastFailureAt: latest(owned.filter(({ status }) => status?.phase === 'Failed').map(endOf)),
  };
}

/** A pod deleted before it had a node has no kubelet that would report its end. */
function hasEnded({ metadata, spec }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined && !spec?.nodeName;
}

function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata?.annotations?.[indexAnnotation];
  return text === undefined ? undefined : Number(text);
}

function restartsOf({ spec, status }: Pod): number {
  if (spec?.restartPolicy !== 'OnFailure') return 0;
  return (status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
}

function endOf({ status }: Pod): Instant {
  const ends = (status?.containerStatuses ?? []).map(
    ({ state }) => instantOf(state?.terminated?.finishedAt) ?? 0,
  );
  return Math.max(0, ...ends);
}

function latest(instants: readonly Instant[]): Instant | undefined {
  const last = Math.max(0, ...instants);
  return last === 0 ? undefined : last;
}

import { terminationTuning, timestampMs } from '../api/index.ts';
import type { ClusterPod } from '../state/index.ts';

/** The grace period of a deletion that bypasses budgets and do-not-disrupt. */
export interface ForcedDeletion {
  readonly gracePeriodSeconds: number;
}

/**
 * Whether the pod must be deleted now so that its own grace period ends before the deadline of its node. As in
 * Karpenter, a pod without terminationGracePeriodSeconds is never forced, and the grace period is never 0.
 */
export function forcedDeletion(
  pod: ClusterPod,
  deadline: number | undefined,
  at: number,
): ForcedDeletion | undefined {
  const graceSeconds = pod.spec.terminationGracePeriodSeconds;
  if (deadline === undefined || graceSeconds === undefined) return undefined;
  const gracePeriodSeconds = Math.max(
    terminationTuning.minForcedGracePeriod / 1000,
    Math.floor((deadline - at) / 1000),
  );
  const ending = timestampMs(pod.metadata.deletionTimestamp);
  const isDue =
    ending === undefined
      ? at > deadline - graceSeconds * 1000
      : endsTooLate(pod, { ending, deadline, granted: gracePeriodSeconds });
  return isDue ? { gracePeriodSeconds } : undefined;
}

/** From when on a running pod is deleted forcefully; undefined if never, or if it is terminating already. */
export function forcedFrom({ metadata, spec }: ClusterPod, deadline: number | undefined): number | undefined {
  const graceSeconds = spec.terminationGracePeriodSeconds;
  if (deadline === undefined || graceSeconds === undefined || metadata.deletionTimestamp !== undefined)
    return undefined;
  return deadline - graceSeconds * 1000;
}

interface TerminationTimes {
  readonly ending: number;
  readonly deadline: number;
  readonly granted: number;
}

/**
 * A terminating pod is deleted again only if that shortens its grace period; otherwise it changes nothing.
 */
function endsTooLate({ metadata }: ClusterPod, { ending, deadline, granted }: TerminationTimes): boolean {
  const { deletionGracePeriodSeconds = Number.POSITIVE_INFINITY } = metadata;
  return ending > deadline && deletionGracePeriodSeconds > granted;
}

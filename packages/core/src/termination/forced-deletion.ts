import { terminationTuning, timestampMs } from '../api/index.ts';
import type { ClusterPod } from '../state/index.ts';

/** The grace period of a deletion that no budget and no annotation can stop. */
export interface ForcedDeletion {
  readonly gracePeriodSeconds: number;
}

/**
 * Whether the pod must be deleted now, by force, so that it can end in its own time before the deadline of its
 * node. A pod that does not say how long it takes is never forced.
 */
export function forcedDeletion(
  pod: ClusterPod,
  deadline: number | undefined,
  at: number,
): ForcedDeletion | undefined {
  const needed = pod.spec.terminationGracePeriodSeconds;
  if (deadline === undefined || needed === undefined) return undefined;
  const gracePeriodSeconds = Math.max(
    terminationTuning.minForcedGracePeriod / 1000,
    Math.floor((deadline - at) / 1000),
  );
  const ending = timestampMs(pod.metadata.deletionTimestamp);
  const isDue =
    ending === undefined
      ? at > deadline - needed * 1000
      : endsTooLate(pod, ending, deadline, gracePeriodSeconds);
  return isDue ? { gracePeriodSeconds } : undefined;
}

/** From when on a running pod must be deleted by force; undefined where that is never, or has no meaning any more. */
export function forcedFrom({ metadata, spec }: ClusterPod, deadline: number | undefined): number | undefined {
  const needed = spec.terminationGracePeriodSeconds;
  if (deadline === undefined || needed === undefined || metadata.deletionTimestamp !== undefined)
    return undefined;
  return deadline - needed * 1000;
}

/** Asking again for what was granted already would change nothing. */
function endsTooLate({ metadata }: ClusterPod, ending: number, deadline: number, granted: number): boolean {
  const { deletionGracePeriodSeconds = Number.POSITIVE_INFINITY } = metadata;
  return ending > deadline && deletionGracePeriodSeconds > granted;
}

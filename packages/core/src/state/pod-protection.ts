import { annotationKeys, parseTimestamp } from '../api/index.ts';
import { parseDuration } from '../values/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import { isActive } from './pod-state.ts';

const nanosecondsPerMillisecond = 1_000_000n;

/**
 * Whether the pod asks to be left where it is at this moment: for good, or for some time from its start. What
 * cannot be read asks for nothing.
 */
export function isProtected(pod: ClusterPod, at: number): boolean {
  const wish = pod.metadata.annotations?.[annotationKeys.doNotDisrupt];
  if (wish === undefined || !isActive(pod)) return false;
  if (wish === 'true') return true;
  const span = positiveDuration(wish);
  return span !== undefined && at < endOf(pod, span);
}

/** A pod that has not started yet has all its time before it. */
function endOf({ status }: ClusterPod, spanMs: number): number {
  const start = parseTimestamp(status?.startTime ?? '');
  if (start === undefined) return Number.POSITIVE_INFINITY;
  return start.epochSeconds * 1000 + start.nanoseconds / 1e6 + spanMs;
}

function positiveDuration(text: string): number | undefined {
  try {
    const nanoseconds = parseDuration(text);
    return nanoseconds > 0n ? Number(nanoseconds) / Number(nanosecondsPerMillisecond) : undefined;
  } catch {
    return undefined;
  }
}

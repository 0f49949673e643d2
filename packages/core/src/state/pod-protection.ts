import { annotationKeys, timestampMs } from '../api/index.ts';
import { nsToDurationMs, parseDuration } from '../values/index.ts';
import type { ClusterPod } from './cluster-object.ts';
import { isActive } from './pod-state.ts';

/** What the annotation `karpenter.sh/do-not-disrupt` of a pod asks for. */
export type DoNotDisrupt =
  | { readonly wish: 'none' }
  /** Cannot be read, and asks for nothing. */
  | { readonly wish: 'invalid'; readonly problem: string }
  /** Until then, in milliseconds since 1970; infinite for a pod that stays for good or has not started yet. */
  | { readonly wish: 'stay'; readonly until: number };

/** `"true"`, or a positive duration from the start of the pod. Pods that have ended or are ending ask for nothing. */
export function doNotDisrupt(pod: ClusterPod): DoNotDisrupt {
  const text = pod.metadata.annotations?.[annotationKeys.doNotDisrupt];
  if (text === undefined || !isActive(pod)) return { wish: 'none' };
  if (text === 'true') return { wish: 'stay', until: Number.POSITIVE_INFINITY };
  const span = readSpan(text);
  if (typeof span === 'string') return { wish: 'invalid', problem: span };
  const start = timestampMs(pod.status?.startTime);
  return { wish: 'stay', until: start === undefined ? Number.POSITIVE_INFINITY : start + span };
}

/** Whether the pod asks to be left where it is at this moment. */
export function isProtected(pod: ClusterPod, at: number): boolean {
  const wish = doNotDisrupt(pod);
  return wish.wish === 'stay' && at < wish.until;
}

/** Milliseconds, or what is wrong with the text. */
function readSpan(text: string): number | string {
  try {
    const nanoseconds = parseDuration(text);
    return nanoseconds > 0n
      ? nsToDurationMs(nanoseconds)
      : `duration ${JSON.stringify(text)} is not positive`;
  } catch {
    return `${JSON.stringify(text)} is neither "true" nor a duration`;
  }
}

import { type ClusterPod, doNotDisrupt, isActive, isProtected } from '../state/index.ts';
import { forcedDeletion, forcedFrom } from './forced-deletion.ts';

/** What to do with a pod of a draining node. */
export type EvictionStep =
  | { readonly act: 'delete'; readonly gracePeriodSeconds: number }
  | { readonly act: 'evict' }
  /** Protected by do-not-disrupt; try again later. */
  | { readonly act: 'wait' }
  /** Already terminating or terminal. */
  | { readonly act: 'drop' };

/**
 * Evaluated at every attempt, so that an eviction that keeps being refused becomes a forced deletion in time.
 */
export function evictionStep(pod: ClusterPod, deadline: number | undefined, at: number): EvictionStep {
  // First, because it also applies to pods that are protected or terminate too slowly.
  const forced = forcedDeletion(pod, deadline, at);
  if (forced !== undefined) return { act: 'delete', ...forced };
  if (!isActive(pod)) return { act: 'drop' };
  return { act: isProtected(pod, at) ? 'wait' : 'evict' };
}

/** When the step changes by time alone: the do-not-disrupt duration ends, or the forced deletion starts. */
export function nextStepTime(pod: ClusterPod, deadline: number | undefined, at: number): number | undefined {
  const protection = doNotDisrupt(pod);
  const unprotected = protection.kind === 'protected' ? protection.until : undefined;
  const forced = forcedFrom(pod, deadline);
  // `forcedDeletion` starts strictly after that time, so waking up exactly then would change nothing.
  const times = [unprotected, forced === undefined ? undefined : forced + 1];
  const [next] = times
    .flatMap((time) => (time !== undefined && time > at && Number.isFinite(time) ? [time] : []))
    .toSorted((a, b) => a - b);
  return next;
}

import { type ClusterPod, doNotDisrupt, isActive, isProtected } from '../state/index.ts';
import { forcedDeletion, forcedFrom } from './forced-deletion.ts';

/** What to do with a pod that is to leave its node. */
export type EvictionStep =
  | { readonly act: 'delete'; readonly gracePeriodSeconds: number }
  | { readonly act: 'evict' }
  /** It asks to stay; ask again later. */
  | { readonly act: 'wait' }
  /** It is ending by itself. */
  | { readonly act: 'drop' };

/** Judged anew at every try, so that an eviction that is refused for long turns into a deletion when it is time. */
export function evictionStep(pod: ClusterPod, deadline: number | undefined, at: number): EvictionStep {
  const forced = forcedDeletion(pod, deadline, at);
  if (forced !== undefined) return { act: 'delete', ...forced };
  if (!isActive(pod)) return { act: 'drop' };
  return { act: isProtected(pod, at) ? 'wait' : 'evict' };
}

/** When the next step will be another one though nothing has happened: the time to stay is over, or the time to go has come. */
export function nextTurn(pod: ClusterPod, deadline: number | undefined, at: number): number | undefined {
  const wish = doNotDisrupt(pod);
  const free = wish.wish === 'stay' ? wish.until : undefined;
  const forced = forcedFrom(pod, deadline);
  // Forced once the moment has passed, not in it.
  const turns = [free, forced === undefined ? undefined : forced + 1];
  const [next] = turns
    .flatMap((turn) => (turn !== undefined && turn > at && Number.isFinite(turn) ? [turn] : []))
    .toSorted((a, b) => a - b);
  return next;
}

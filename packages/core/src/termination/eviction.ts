import { type ClusterPod, isActive, isProtected } from '../state/index.ts';
import { forcedDeletion } from './forced-deletion.ts';

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

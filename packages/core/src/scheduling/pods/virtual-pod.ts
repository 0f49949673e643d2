import { annotationKeys } from '../../api/index.ts';
import type { PodView } from '../snapshot.ts';
import { isUpcomingPod } from './upcoming-pod.ts';

/** Whether a pod stands for room that a CapacityBuffer keeps free. It exists only in plans and never runs. */
export function isBufferPod({ metadata }: Pick<PodView, 'metadata'>): boolean {
  return metadata.annotations?.[annotationKeys.bufferPod] === 'true';
}

/** Whether a pod exists only in plans: a buffer pod, or one that its owner has yet to create. */
export function isVirtualPod(pod: Pick<PodView, 'metadata'>): boolean {
  return isBufferPod(pod) || isUpcomingPod(pod);
}

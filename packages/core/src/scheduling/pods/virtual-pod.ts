import { annotationKeys } from '../../api/index.ts';
import type { PodView } from '../snapshot.ts';

/** Whether a pod stands for room that a CapacityBuffer keeps free, and will never run. */
export function isVirtualPod({ metadata }: Pick<PodView, 'metadata'>): boolean {
  return metadata.annotations?.[annotationKeys.bufferPod] === 'true';
}

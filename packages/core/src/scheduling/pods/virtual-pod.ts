import { annotationKeys } from '../../api/index.ts';
import type { PodView } from '../snapshot.ts';

/** Whether a pod stands for room that a CapacityBuffer keeps free. It exists only in plans and never runs. */
export function isVirtualPod({ metadata }: Pick<PodView, 'metadata'>): boolean {
  return metadata.annotations?.[annotationKeys.bufferPod] === 'true';
}

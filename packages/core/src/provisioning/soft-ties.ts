import type { PodView } from '../scheduling/index.ts';

/** Wishes of pods that nodes are kept for although the pods could do without. */
export type SoftTie = 'anti-affinity' | 'spread';

export function softTies({ spec }: Pick<PodView, 'spec'>): readonly SoftTie[] {
  const apart = spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const spread = (spec.topologySpreadConstraints ?? []).some(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway',
  );
  return [...(apart.length > 0 ? ['anti-affinity' as const] : []), ...(spread ? ['spread' as const] : [])];
}

import type { PodView } from '../scheduling/index.ts';

/** Soft constraints of pods for which consolidation keeps nodes even though the pods could run without. */
export type SoftTie = 'anti-affinity' | 'spread';

export function softTies({ spec }: Pick<PodView, 'spec'>): readonly SoftTie[] {
  const preferred = spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const spread = (spec.topologySpreadConstraints ?? []).some(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway',
  );
  return [
    ...(preferred.length > 0 ? ['anti-affinity' as const] : []),
    ...(spread ? ['spread' as const] : []),
  ];
}

import type { PodView } from '../scheduling/index.ts';

/** Preferences of a pod that can prevent consolidation, although the pod could run without them. */
export type SoftConstraint = 'anti-affinity' | 'spread';

export function softConstraints({ spec }: Pick<PodView, 'spec'>): readonly SoftConstraint[] {
  const preferred = spec.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const spread = (spec.topologySpreadConstraints ?? []).some(
    ({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway',
  );
  return [
    ...(preferred.length > 0 ? ['anti-affinity' as const] : []),
    ...(spread ? ['spread' as const] : []),
  ];
}

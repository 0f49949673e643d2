import type { LabelKeySet, Requirements } from '../../requirements/index.ts';
import { type Taint, type Toleration, untolerated } from '../../values/index.ts';

/** Which nodes a spread constraint looks at: those the pod could run on, as far as its policies honour that. */
export interface NodeFilter {
  /** Alternatives of which one must hold; empty when node affinity is ignored. */
  readonly alternatives: readonly Requirements[];
  /** Absent when taints are ignored. */
  readonly tolerations: readonly Toleration[] | undefined;
}

export function filterAccepts(
  filter: NodeFilter | undefined,
  taints: readonly Taint[],
  requirements: Requirements,
  allowUndefined: LabelKeySet,
): boolean {
  if (filter === undefined) return true;
  if (!filterTolerates(filter, taints)) return false;
  if (filter.alternatives.length === 0) return true;
  return filter.alternatives.some((wanted) => requirements.compatible(wanted, allowUndefined));
}

export function filterTolerates({ tolerations }: NodeFilter, taints: readonly Taint[]): boolean {
  return tolerations === undefined || untolerated(taints, tolerations).length === 0;
}

import { LabelKeySet, type Requirements } from '../../requirements/index.ts';
import { type Taint, type Toleration, untolerated } from '../../values/index.ts';

/** Which nodes a spread constraint counts, by `nodeAffinityPolicy` and `nodeTaintsPolicy`. */
export interface NodeFilter {
  /** One of them must match; empty when the constraint ignores node affinity. */
  readonly alternatives: readonly Requirements[];
  /** Undefined when the constraint ignores taints. */
  readonly tolerations: readonly Toleration[] | undefined;
}

interface FilteredNode {
  readonly taints: readonly Taint[];
  readonly requirements: Requirements;
}

/** Whether an existing node counts; a label that it lacks matches nothing. */
export function filterAccepts(filter: NodeFilter | undefined, node: FilteredNode): boolean {
  if (filter === undefined) return true;
  if (!filterTolerates(filter, node.taints)) return false;
  if (filter.alternatives.length === 0) return true;
  return filter.alternatives.some((alternative) =>
    node.requirements.compatible(alternative, LabelKeySet.empty),
  );
}

export function filterTolerates({ tolerations }: NodeFilter, taints: readonly Taint[]): boolean {
  return tolerations === undefined || untolerated(taints, tolerations).length === 0;
}

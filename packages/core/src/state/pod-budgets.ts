import { compileLabelSelector, type LabelPredicate } from '../values/index.ts';
import type { ClusterPod, PodDisruptionBudget } from './cluster-object.ts';
import { isActive, isMirror, staysThrough } from './pod-state.ts';

interface Budget {
  readonly object: PodDisruptionBudget;
  readonly selects: LabelPredicate;
}

/** The PodDisruptionBudgets of a cluster, by the pods that they protect. */
export class PodBudgets {
  readonly #byNamespace = new Map<string, Budget[]>();

  constructor(objects: Iterable<PodDisruptionBudget>) {
    for (const object of objects) {
      const { namespace } = object.metadata;
      const others = this.#byNamespace.get(namespace) ?? [];
      others.push({ object, selects: selectorOf(object) });
      this.#byNamespace.set(namespace, others);
    }
  }

  /** The budgets that an eviction of the pod asks; none for pods that are never evicted. */
  protecting(pod: ClusterPod): readonly PodDisruptionBudget[] {
    const budgets = this.#byNamespace.get(pod.metadata.namespace);
    if (budgets === undefined || !isEvictable(pod)) return [];
    const labels = pod.metadata.labels ?? {};
    return budgets.filter(({ selects }) => selects(labels)).map(({ object }) => object);
  }

  /** Whether no eviction of the pod can ever be granted, as long as budgets stay what they are. */
  blocks(pod: ClusterPod): boolean {
    const [budget, another] = this.protecting(pod);
    if (budget === undefined) return false;
    if (another !== undefined) return true;
    return allowsNobody(budget) && !letsGo(budget, pod);
  }
}

/** Whether the pod would be evicted from a node that is drained. */
function isEvictable(pod: ClusterPod): boolean {
  return isActive(pod) && !isMirror(pod) && !staysThrough(pod);
}

/** Whether the budget lets pods go that do not run well. */
export function letsGo({ spec }: PodDisruptionBudget, { status }: ClusterPod): boolean {
  if (spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow') return false;
  return (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'False');
}

function allowsNobody({ spec }: PodDisruptionBudget): boolean {
  const { maxUnavailable, minAvailable } = spec;
  return maxUnavailable === 0 || maxUnavailable === '0' || maxUnavailable === '0%' || minAvailable === '100%';
}

/** A selector that cannot be read protects nobody, as in the API server. */
function selectorOf({ spec }: PodDisruptionBudget): LabelPredicate {
  try {
    return compileLabelSelector(spec.selector);
  } catch {
    return () => false;
  }
}

import { compileLabelSelector, type LabelPredicate } from '../../values/index.ts';
import type { ClusterPod, PodDisruptionBudget } from '../cluster-object.ts';
import { isActive, isMirror, toleratesDisruptedTaint } from './pod-state.ts';

interface Budget {
  readonly object: PodDisruptionBudget;
  readonly selects: LabelPredicate;
}

/** The PodDisruptionBudgets of a cluster, indexed by namespace. */
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

  /** The budgets that an eviction of the pod is checked against; empty for pods that are never evicted. */
  protecting(pod: ClusterPod): readonly PodDisruptionBudget[] {
    const budgets = this.#byNamespace.get(pod.metadata.namespace);
    if (budgets === undefined || !isEvictable(pod)) return [];
    const labels = pod.metadata.labels ?? {};
    return budgets.filter(({ selects }) => selects(labels)).map(({ object }) => object);
  }

  /**
   * Whether no eviction of the pod can ever succeed while the budgets stay as they are. With two budgets the
   * eviction API refuses with an error, whatever they allow.
   */
  blocks(pod: ClusterPod): boolean {
    const [budget, another] = this.protecting(pod);
    if (budget === undefined) return false;
    if (another !== undefined) return true;
    return allowsNone(budget) && !allowsUnhealthyEviction(budget, pod);
  }
}

/** Whether a drain evicts the pod. */
function isEvictable(pod: ClusterPod): boolean {
  return isActive(pod) && !isMirror(pod) && !toleratesDisruptedTaint(pod);
}

/** Whether the budget allows evicting this pod because it is not ready. */
export function allowsUnhealthyEviction({ spec }: PodDisruptionBudget, { status }: ClusterPod): boolean {
  if (spec.unhealthyPodEvictionPolicy !== 'AlwaysAllow') return false;
  return (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'False');
}

/**
 * Reads the spec, not `disruptionsAllowed`, as in Karpenter: a budget that is used up now allows evictions
 * later.
 */
function allowsNone({ spec }: PodDisruptionBudget): boolean {
  const { maxUnavailable, minAvailable } = spec;
  return maxUnavailable === 0 || maxUnavailable === '0' || maxUnavailable === '0%' || minAvailable === '100%';
}

/** An invalid selector selects no pods, as in the API server. */
function selectorOf({ spec }: PodDisruptionBudget): LabelPredicate {
  try {
    return compileLabelSelector(spec.selector);
  } catch {
    return () => false;
  }
}

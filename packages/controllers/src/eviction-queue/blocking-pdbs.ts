import { PodBudgets, type PodDisruptionBudget } from '@karpenter/core/state';
import type { CacheSet, WatchCache } from '@karpenter/kube/cache';
import type { KubeObject } from '@karpenter/kube/client';
import { stateSources } from '../cluster/index.ts';
import type { CachedPod } from '../instances/index.ts';

/** Names the PodDisruptionBudgets of pods, for the events of a drain. */
export class BlockingPdbs {
  readonly #cache: WatchCache<PodDisruptionBudget & KubeObject>;

  /** Compiled selectors, until a budget changes: every poll of every draining node reads them. */
  #compiled: PodBudgets | undefined;

  constructor(cache: WatchCache<PodDisruptionBudget & KubeObject>) {
    this.#cache = cache;
  }

  /** To be called with each change of a budget. */
  changed(): void {
    this.#compiled = undefined;
  }

  /** All budgets of a pod whose eviction was refused. With more than one the API server refuses every eviction. */
  ofPod(pod: CachedPod): string {
    return named(this.#budgets().protecting(pod));
  }

  /** The budgets that allow no eviction of these pods now. */
  ofPods(pods: readonly CachedPod[]): string {
    const budgets = this.#budgets();
    const blocking = pods.flatMap((pod) => {
      const own = budgets.protecting(pod);
      return own.length > 1 ? own : own.filter(({ status }) => (status?.disruptionsAllowed ?? 0) <= 0);
    });
    return named([...new Set(blocking)]);
  }

  #budgets(): PodBudgets {
    this.#compiled ??= new PodBudgets(this.#cache.list());
    return this.#compiled;
  }
}

/** Starts the watch of PodDisruptionBudgets, or joins the one that runs. */
export function watchBlockingPdbs(caches: CacheSet): BlockingPdbs {
  const cache = caches.of(stateSources.PodDisruptionBudget);
  const budgets = new BlockingPdbs(cache);
  cache.subscribe(() => budgets.changed());
  return budgets;
}

/** In the words of the event DisruptionBlocked; empty without budgets. */
function named(budgets: readonly PodDisruptionBudget[]): string {
  if (budgets.length === 0) return '';
  const names = budgets.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).toSorted();
  return ` (PodDisruptionBudget${names.length > 1 ? '(s)' : ''}=[${names.join(' ')}])`;
}

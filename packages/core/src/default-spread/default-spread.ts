import type { DefaultSpreadConstraint } from '../api/index.ts';
import type { PodSpecView, PodView } from '../scheduling/index.ts';
import type { LabelSelector } from '../values/index.ts';
import { SelectorDeduction } from './deduced-selector.ts';
import type { SpreadSources } from './spread-sources.ts';

/**
 * The pods as the cluster's kube-scheduler will see them: pods without spread constraints get the default
 * ones, each with the selector deduced from their Services and controller. Used for planning only; nothing is
 * written. Pods that shared a spec still share one.
 */
export function withDefaultSpread<P extends PodView>(
  pods: readonly P[],
  constraints: readonly DefaultSpreadConstraint[],
  sources: SpreadSources,
): readonly P[] {
  if (constraints.length === 0) return pods;
  const deduction = new SelectorDeduction(sources);
  const specs = new SpreadSpecs(constraints);
  return pods.map((pod) => {
    if ((pod.spec.topologySpreadConstraints ?? []).length > 0) return pod;
    const selector = deduction.selectorOf(pod.metadata);
    return selector === undefined ? pod : { ...pod, spec: specs.of(pod.spec, selector) };
  });
}

/** Caches the result per spec and selector, because planning recognises equal pods by their shared spec. */
class SpreadSpecs {
  readonly #constraints: readonly DefaultSpreadConstraint[];
  readonly #specs = new Map<PodSpecView, Map<string, PodSpecView>>();

  constructor(constraints: readonly DefaultSpreadConstraint[]) {
    this.#constraints = constraints;
  }

  of(spec: PodSpecView, labelSelector: LabelSelector): PodSpecView {
    const bySelector = this.#specs.get(spec) ?? new Map<string, PodSpecView>();
    this.#specs.set(spec, bySelector);
    const key = JSON.stringify(labelSelector);
    const known = bySelector.get(key);
    if (known !== undefined) return known;
    const topologySpreadConstraints = this.#constraints.map((each) => ({ ...each, labelSelector }));
    const result = { ...spec, topologySpreadConstraints };
    bySelector.set(key, result);
    return result;
  }
}

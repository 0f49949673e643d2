import type { DefaultSpreadConstraint } from '../api/index.ts';
import type { PodSpecView, PodView } from '../scheduling/index.ts';
import type { LabelSelector } from '../values/index.ts';
import { SelectorDeduction } from './deduced-selector.ts';
import type { SpreadSources } from './spread-sources.ts';

/**
 * Pods as the kube-scheduler of the cluster will see them: those without spread constraints are given the
 * default ones, each with the selector that their Services and their controller imply. Only for planning; the
 * pods of the cluster stay as they are. Pods that shared a spec share it still.
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

/** One spec for all pods that had one and are selected alike: planning knows equal pods by it. */
class SpreadSpecs {
  readonly #constraints: readonly DefaultSpreadConstraint[];
  readonly #made = new Map<PodSpecView, Map<string, PodSpecView>>();

  constructor(constraints: readonly DefaultSpreadConstraint[]) {
    this.#constraints = constraints;
  }

  of(spec: PodSpecView, labelSelector: LabelSelector): PodSpecView {
    const bySelector = this.#made.get(spec) ?? new Map<string, PodSpecView>();
    this.#made.set(spec, bySelector);
    const key = JSON.stringify(labelSelector);
    const known = bySelector.get(key);
    if (known !== undefined) return known;
    const topologySpreadConstraints = this.#constraints.map((each) => ({ ...each, labelSelector }));
    const made = { ...spec, topologySpreadConstraints };
    bySelector.set(key, made);
    return made;
  }
}

import { labelKeys } from '@karpenter/core/api';
import type { Domains } from './domains.ts';
import { allows, anyValue, both, type LabelRule } from './label-rule.ts';
import type { ExistingLocation, NewLocation, PlacedPod } from './location.ts';
import type { CheckedPodClass } from './pod-class.ts';
import type { PodTerms } from './pod-selection.ts';
import type { SpreadConstraints } from './spread-constraint.ts';

export type AnyLocation = ExistingLocation | NewLocation;

/**
 * The domains for which a pod may have counted while the planner was still placing others. The planner may
 * have narrowed its node later, for another pod or for the price, after it had already turned pods away.
 */
export class Decided {
  readonly #affinity: PodTerms;
  readonly #constraints: SpreadConstraints;
  readonly #domains: Domains;

  constructor(affinity: PodTerms, constraints: SpreadConstraints, domains: Domains) {
    this.#affinity = affinity;
    this.#constraints = constraints;
    this.#domains = domains;
  }

  /** According to the NodePool and the pod itself: other pods may have narrowed the node later. */
  domains(location: AnyLocation, { pod }: PlacedPod, key: string): readonly string[] {
    if (this.#isNarrowed(location, pod, key)) return this.#domains.ofLocation(location, key);
    const rule = ownRule(pod, key);
    const offered = location.kind === 'new' ? [...this.#domains.ofPool(location.pool, key)] : [];
    return rule === undefined ? offered : offered.filter((domain) => allows(rule, domain));
  }

  /** The only domain that a requirement lists; excluding all others does not count. */
  settled(location: AnyLocation, { pod }: PlacedPod, key: string): string | undefined {
    if (this.#isNarrowed(location, pod, key)) return this.#domains.settled(location, key, 'statement');
    const required = location.kind === 'new' ? location.pool.template.get(key) : undefined;
    const rule = both(required ?? anyValue, ownRule(pod, key) ?? anyValue);
    const [only] = rule.values;
    return !rule.complement && rule.values.size === 1 ? only : undefined;
  }

  #isNarrowed({ kind }: AnyLocation, pod: CheckedPodClass, key: string): boolean {
    return kind === 'existing' || key === labelKeys.hostname || this.#narrows(pod, key);
  }

  /** Spread and affinity narrow a node immediately. */
  #narrows(pod: CheckedPodClass, key: string): boolean {
    return [...this.#constraints.of(pod), ...this.#affinity.of(pod)].some((rule) => rule.key === key);
  }
}

function ownRule({ alternatives }: CheckedPodClass, key: string): LabelRule | undefined {
  return alternatives.length === 1 ? alternatives[0]?.get(key) : undefined;
}

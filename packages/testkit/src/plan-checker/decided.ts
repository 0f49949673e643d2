import { labelKeys } from '@karpenter/core/api';
import type { Domains } from './domains.ts';
import { allows, anyValue, both, type LabelRule } from './label-rule.ts';
import type { ExistingLocation, NewLocation, PlacedPod } from './location.ts';
import type { CheckedPodClass } from './pod-class.ts';
import type { PodTerm, PodTerms } from './pod-selection.ts';
import type { SpreadConstraints } from './spread-constraint.ts';

export type AnyLocation = ExistingLocation | NewLocation;

/**
 * The domains for which a pod may have counted while the planner was still placing others. The planner may
 * have narrowed its node later, for another pod or for the price, after it had already turned pods away.
 */
export class Decided {
  readonly #locations: readonly AnyLocation[];
  readonly #affinity: PodTerms;
  readonly #constraints: SpreadConstraints;
  readonly #domains: Domains;
  readonly #populated = new Map<PodTerm, ReadonlySet<string>>();

  constructor(
    locations: readonly AnyLocation[],
    affinity: PodTerms,
    constraints: SpreadConstraints,
    domains: Domains,
  ) {
    this.#locations = locations;
    this.#affinity = affinity;
    this.#constraints = constraints;
    this.#domains = domains;
  }

  /** According to the NodePool and the pod itself: other pods may have narrowed the node later. */
  domains(location: AnyLocation, { pod }: PlacedPod, key: string): readonly string[] {
    if (this.#isFixed(location, pod, key)) return this.#domains.ofLocation(location, key);
    const rule = ownRule(pod, key);
    const offered = location.kind === 'new' ? [...this.#domains.ofPool(location.pool, key)] : [];
    const allowed = rule === undefined ? offered : offered.filter((domain) => allows(rule, domain));
    const terms = this.#termsOf(pod, key);
    if (terms.length === 0) return allowed;
    const followed = allowed.filter((domain) => terms.every((term) => this.#populatedBy(term).has(domain)));
    return [...new Set([...this.#domains.ofLocation(location, key), ...followed])];
  }

  /** The only domain that a requirement lists; excluding all others does not count. */
  settled(location: AnyLocation, occupant: PlacedPod, key: string): string | undefined {
    const { pod } = occupant;
    if (this.#isFixed(location, pod, key)) return this.#domains.settled(location, key, 'statement');
    if (this.#termsOf(pod, key).length > 0) {
      const isOne = this.domains(location, occupant, key).length === 1;
      return isOne ? this.#domains.settled(location, key, 'statement') : undefined;
    }
    const required = location.kind === 'new' ? location.pool.template.get(key) : undefined;
    const rule = both(required ?? anyValue, ownRule(pod, key) ?? anyValue);
    const [only] = rule.values;
    return !rule.complement && rule.values.size === 1 ? only : undefined;
  }

  /** Spread narrows a node to one domain immediately. */
  #isFixed({ kind }: AnyLocation, pod: CheckedPodClass, key: string): boolean {
    if (kind === 'existing' || key === labelKeys.hostname) return true;
    return this.#constraints.of(pod).some((constraint) => constraint.key === key);
  }

  /** Affinity narrows a node to all domains with selected pods, of which there may be several. */
  #termsOf(pod: CheckedPodClass, key: string): readonly PodTerm[] {
    return this.#affinity.of(pod).filter((term) => term.key === key);
  }

  /** Every domain that may have had a selected pod by then: pods count only where their node states one domain. */
  #populatedBy(term: PodTerm): ReadonlySet<string> {
    const known = this.#populated.get(term) ?? this.#findPopulated(term);
    this.#populated.set(term, known);
    return known;
  }

  #findPopulated(term: PodTerm): ReadonlySet<string> {
    const populated = this.#locations
      .filter(({ placed, staying }) => [...placed, ...staying].some(({ pod }) => term.selects(pod)))
      .map((location) => this.#domains.settled(location, term.key, 'statement'));
    return new Set(populated.filter((domain) => domain !== undefined));
  }
}

function ownRule({ alternatives }: CheckedPodClass, key: string): LabelRule | undefined {
  return alternatives.length === 1 ? alternatives[0]?.get(key) : undefined;
}

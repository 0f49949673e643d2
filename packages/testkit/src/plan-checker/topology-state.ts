import { labelKeys } from '@karpenter/core/api';
import { type AnyLocation, Decided } from './decided.ts';
import type { Domains } from './domains.ts';
import { allows, type LabelRules } from './label-rule.ts';
import type { PlacedPod } from './location.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { CheckedPodClass } from './pod-class.ts';
import { type PodTerm, PodTerms } from './pod-selection.ts';
import {
  type CheckedSpreadConstraint,
  countSelected,
  leastCount,
  type SpreadConstraints,
} from './spread-constraint.ts';

/** A pod that looks for a place after the plan has been applied. */
export interface AddedPod {
  readonly pod: CheckedPodClass;
  readonly rules: LabelRules;
}

/** A possible place: its label values; the hostname of a new node is unique. */
export type Site = (key: string) => readonly string[];

/** Constraints that choose a domain before the planner looks at the offerings there. */
interface DomainChoice {
  readonly key: string;
  readonly domains: readonly string[];
}

/** Pods by domain at the end of a plan, and the pods that they exclude. */
export class TopologyState {
  readonly #locations: readonly AnyLocation[];
  readonly #decided: Decided;
  readonly #holders: readonly CheckedPodClass[];
  readonly #facts: PlanFacts;
  readonly #domains: Domains;
  readonly #constraints: SpreadConstraints;
  readonly #affinity: PodTerms;
  readonly #antiAffinity: PodTerms;
  readonly #occupied = new Map<PodTerm, ReadonlySet<string>>();
  readonly #populated = new Map<PodTerm, ReadonlySet<string>>();
  readonly #counts = new Map<CheckedSpreadConstraint, readonly ReadonlyMap<string, number>[]>();

  constructor(facts: PlanFacts, constraints: SpreadConstraints, domains: Domains) {
    this.#facts = facts;
    this.#domains = domains;
    this.#constraints = constraints;
    this.#locations = [...facts.existing, ...facts.fresh];
    this.#affinity = new PodTerms(facts.cluster, 'podAffinity');
    this.#antiAffinity = new PodTerms(facts.cluster, 'podAntiAffinity');
    this.#decided = new Decided(this.#locations, this.#affinity, constraints, domains);
    const { cluster } = facts;
    const batch = [...cluster.pods.values()].map((pod) => cluster.classOf(pod));
    this.#holders = [...new Set([...batch, ...cluster.bound.map(({ pod }) => pod)])];
  }

  /** Returns a test of sites for one new pod. */
  admission({ pod, rules }: AddedPod): (site: Site) => boolean {
    const repelling = this.#repelling(pod);
    const known = this.#knownDomains(pod);
    return (site) =>
      known.every(({ key, domains }) => site(key).some((domain) => domains.has(domain))) &&
      [...repelling].every(([key, domains]) => !site(key).some((domain) => domains.has(domain))) &&
      this.#antiAffinity.of(pod).every((term) => isFree(site(term.key), this.#occupiedBy(term))) &&
      this.#affinity.of(pod).every((term) => this.#canFollow(term, { pod, rules }, site)) &&
      this.#constraints.of(pod).every((constraint) => this.#fits(constraint, { pod, rules }, site));
  }

  /**
   * Requirements to which topology narrows a node of a NodePool; `poolDomains` are the domains that it
   * offers.
   */
  choices({ pod, rules }: AddedPod, poolDomains: (key: string) => Iterable<string>): readonly DomainChoice[] {
    const offered = (key: string): string[] => {
      const rule = rules.get(key);
      return [...poolDomains(key)].filter((domain) => rule === undefined || allows(rule, domain));
    };
    const spread = this.#constraints.of(pod).filter(({ key }) => key !== labelKeys.hostname);
    const starting = this.#affinity
      .of(pod)
      .filter((term) => term.key !== labelKeys.hostname && this.#mayStart(term, { pod, rules }));
    return [
      ...spread.map((constraint) => ({
        key: constraint.key,
        domains: this.#emptiest(constraint, { pod, rules }, offered(constraint.key)),
      })),
      ...starting.map(({ key }) => ({ key, domains: offered(key) })),
    ];
  }

  /** Domains of pods with anti-affinity to this one, by key. */
  #repelling(pod: CheckedPodClass): ReadonlyMap<string, ReadonlySet<string>> {
    const byKey = new Map<string, Set<string>>();
    for (const location of this.#locations) {
      for (const occupant of [...location.placed, ...location.bound]) {
        for (const term of this.#antiAffinity.of(occupant.pod)) {
          if (!term.selects(pod)) continue;
          const domains = byKey.get(term.key) ?? new Set<string>();
          for (const domain of this.#decided.domains(location, occupant, term.key)) domains.add(domain);
          byKey.set(term.key, domains);
        }
      }
    }
    return byKey;
  }

  /**
   * Anti-affinity, from any placed, rejected or running pod, leaves only domains that the repelling pod
   * knows.
   */
  #knownDomains(
    pod: CheckedPodClass,
  ): readonly { readonly key: string; readonly domains: ReadonlySet<string> }[] {
    return this.#holders.flatMap((holder) =>
      this.#antiAffinity
        .of(holder)
        .filter((term) => term.key !== labelKeys.hostname && (holder === pod || term.selects(pod)))
        .map(({ key }) => ({ key, domains: this.#domains.openTo(holder, key) })),
    );
  }

  /** Applies the question to the domains of each pod that the term selects. */
  #selected<T>(term: PodTerm, ask: (location: AnyLocation, occupant: PlacedPod) => T): readonly T[] {
    return this.#locations.flatMap((location) =>
      [...location.placed, ...location.staying]
        .filter(({ pod }) => term.selects(pod))
        .map((occupant) => ask(location, occupant)),
    );
  }

  #occupiedBy(term: PodTerm): ReadonlySet<string> {
    const known =
      this.#occupied.get(term) ??
      new Set(this.#selected(term, (...place) => this.#decided.domains(...place, term.key)).flat());
    this.#occupied.set(term, known);
    return known;
  }

  /** Domains that certainly have a selected pod. */
  #populatedBy(term: PodTerm): ReadonlySet<string> {
    const settled = () => this.#selected(term, (...place) => this.#decided.settled(...place, term.key));
    const known = this.#populated.get(term) ?? new Set(settled().filter((domain) => domain !== undefined));
    this.#populated.set(term, known);
    return known;
  }

  /** No selected pod can have been in a domain that the new pod may use. */
  #mayStart(term: PodTerm, { pod, rules }: AddedPod): boolean {
    const rule = rules.get(term.key);
    const isOpen = (domain: string) => rule === undefined || allows(rule, domain);
    return term.selects(pod) && ![...this.#occupiedBy(term)].some(isOpen);
  }

  #canFollow(term: PodTerm, newcomer: AddedPod, site: Site): boolean {
    const domains = site(term.key);
    if (domains.some((domain) => this.#populatedBy(term).has(domain))) return true;
    if (domains.length === 0 || !this.#mayStart(term, newcomer)) return false;
    if (term.key === labelKeys.hostname) return true;
    const known = this.#domains.openTo(newcomer.pod, term.key);
    return domains.some((domain) => known.has(domain));
  }

  #countsOf(constraint: CheckedSpreadConstraint): readonly ReadonlyMap<string, number>[] {
    const known = this.#counts.get(constraint) ?? this.#count(constraint);
    this.#counts.set(constraint, known);
    return known;
  }

  #count(constraint: CheckedSpreadConstraint): readonly ReadonlyMap<string, number>[] {
    const { bound, owners, others } = countSelected(
      constraint,
      this.#facts,
      this.#constraints,
      (location) => this.#domains.settled(location, constraint.key, 'reach'),
      asRelaxed(constraint),
    );
    return [bound, owners, others];
  }

  #skew(constraint: CheckedSpreadConstraint, { pod, rules }: AddedPod, domain: string): number {
    const counts = this.#countsOf(constraint);
    const count = counts.reduce((total, map) => total + (map.get(domain) ?? 0), 0);
    return count + (constraint.selects(pod) ? 1 : 0) - leastCount(asRelaxed(constraint), rules, counts);
  }

  #fits(constraint: CheckedSpreadConstraint, newcomer: AddedPod, site: Site): boolean {
    const isHost = constraint.key === labelKeys.hostname;
    if (!isHost && this.#isUncertain(constraint)) return false;
    return site(constraint.key).some(
      (domain) =>
        (isHost || asRelaxed(constraint).universe.has(domain)) &&
        this.#skew(constraint, newcomer, domain) <= constraint.maxSkew,
    );
  }

  /** Whether some pod counts, or does not count, only because its node was narrowed at the end. */
  #isUncertain(constraint: CheckedSpreadConstraint): boolean {
    return this.#facts.fresh.some((location) =>
      location.placed.some(
        (occupant) =>
          constraint.selects(occupant.pod) &&
          (constraint.isForeign(location) ||
            this.#decided.settled(location, occupant, constraint.key) === undefined),
      ),
    );
  }

  #emptiest(
    constraint: CheckedSpreadConstraint,
    newcomer: AddedPod,
    domains: readonly string[],
  ): readonly string[] {
    const skews = domains
      .filter((domain) => asRelaxed(constraint).universe.has(domain))
      .map((domain) => ({ domain, skew: this.#skew(constraint, newcomer, domain) }))
      .filter(({ skew }) => skew <= constraint.maxSkew);
    const least = Math.min(...skews.map(({ skew }) => skew));
    return skews.filter(({ skew }) => skew === least).map(({ domain }) => domain);
  }
}

/** Without information about the label, the domain cannot be called free. */
function isFree(domains: readonly string[], occupied: ReadonlySet<string>): boolean {
  return domains.some((domain) => !occupied.has(domain));
}

/** A pod is rejected only after the last relaxation, which tolerates soft taints. */
function asRelaxed(constraint: CheckedSpreadConstraint): CheckedSpreadConstraint {
  return { ...constraint, ...constraint.relaxed };
}

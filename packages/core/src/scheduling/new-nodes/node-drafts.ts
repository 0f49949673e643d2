import { type Requirements, relaxMinValues } from '../../requirements/index.ts';
import { memoized } from '../../values/index.ts';
import { minValuesShortfalls } from '../instance-types/min-values.ts';
import type { NodeTemplate, TemplateOffer, TemplateType } from '../instance-types/node-template.ts';
import type { Allowance } from '../limits/limits.ts';
import { comparePrices } from '../packing/cost.ts';
import type { PlanOptions } from '../plan-result.ts';
import { isOpenTo, type NodeLoad, sizeOf, unitsOf } from './node-load.ts';

/** A load with the requirements of its NodeClaim and the offers it may launch on. */
export interface NodeDraft {
  readonly load: NodeLoad;
  readonly requirements: Requirements;
  /** The cheapest first. */
  readonly offers: readonly TemplateOffer[];
}

/** Finds the offers on which loads of one NodePool can launch. */
export class NodeDrafts {
  readonly #template: NodeTemplate;
  readonly #options: PlanOptions;
  readonly #allowance: Allowance;
  /** Hundreds of loads combine the same few requirements. */
  readonly #and = memoized((first: Requirements) => memoized((second: Requirements) => first.and(second)));

  readonly #withoutSeeminglyCheap = memoized(withoutSeeminglyCheap);
  readonly #hasBurstableTypes: boolean;

  constructor(template: NodeTemplate, options: PlanOptions, allowance: Allowance) {
    this.#template = template;
    this.#options = options;
    this.#allowance = allowance;
    this.#hasBurstableTypes = template.types.some(({ type }) => type.burst !== undefined);
  }

  /**
   * Offers with room for the pods, in any zone, the cheapest first, including those of reservations that the node does
   * not use. Without types that only seem cheap, if the others satisfy `minValues`.
   */
  offersFor(load: NodeLoad): readonly TemplateOffer[] {
    const masks = load.contents.map(({ item }) => item.mask);
    const holding = this.#template.ranking.holding(masks, sizeOf(load));
    if (!this.#hasBurstableTypes) return holding;
    const rest = this.#withoutSeeminglyCheap(holding);
    return rest === holding || minValuesShortfalls(this.requirementsOf(load), rest).length === 0
      ? rest
      : holding;
  }

  requirementsOf({ contents }: NodeLoad): Requirements {
    return contents
      .map(({ item }) => item.requirements)
      .reduce((all, next) => (all === next ? all : this.#and(all)(next)));
  }

  /**
   * The load on all its offers, if their types satisfy `minValues`. With the policy BestEffort a single unit
   * may have fewer; a load of several is divided first, because a smaller one may fit on more types.
   */
  unlimited(load: NodeLoad): NodeDraft | undefined {
    return this.#withMinValues(load, this.offersFor(load));
  }

  /**
   * The load on what is left of the limits: the cheapest offer it can launch on, types that take no more of
   * the limits than that one, and as many more of the cheapest as `minValues` requires.
   */
  affordable(load: NodeLoad): NodeDraft | undefined {
    const offers = this.offersFor(load).filter(({ of }) => this.#allowance.affords(of.limitUsage));
    const draft = this.#withMinValues(load, offers);
    if (draft === undefined) return undefined;
    const { requirements } = draft;
    const ranked = [...new Set([...offers.filter((offer) => isOpenTo(load, offer)), ...offers])];
    const enough = ranked.findIndex(
      (_, index) => minValuesShortfalls(requirements, ranked.slice(0, index + 1)).length === 0,
    );
    const largest = largestLimitUsage(ranked.slice(0, enough + 1));
    return { ...draft, offers: offers.filter(({ of }) => isNoLarger(of.limitUsage, largest)) };
  }

  #withMinValues(load: NodeLoad, offers: readonly TemplateOffer[]): NodeDraft | undefined {
    if (!offers.some((offer) => isOpenTo(load, offer))) return undefined;
    const requirements = this.requirementsOf(load);
    const shortfalls = minValuesShortfalls(requirements, offers);
    if (shortfalls.length === 0) return { load, requirements, offers };
    if (this.#options.minValuesPolicy === 'Strict' || unitsOf(load) > 1) return undefined;
    return { load, requirements: relaxMinValues(requirements, shortfalls), offers };
  }
}

/**
 * Leaves out burstable types whose offering costs less than the first offer's, although they cost more with the CPU
 * that these pods request: a launch compares prices of offerings only and would prefer them (ADR 0057).
 */
function withoutSeeminglyCheap(offers: readonly TemplateOffer[]): readonly TemplateOffer[] {
  const first = offers.find(({ offering }) => offering.reservation === undefined);
  if (first === undefined) return offers;
  const seeminglyCheap = new Set<TemplateType>();
  for (const { of, offering } of offers) {
    if (of.type.burst === undefined || offering.reservation !== undefined) continue;
    if (comparePrices(offering.price, first.offering.price) < 0) seeminglyCheap.add(of);
  }
  return seeminglyCheap.size === 0 ? offers : offers.filter(({ of }) => !seeminglyCheap.has(of));
}

/** Any type of a NodeClaim may be launched, so none may use more of the limits than was charged for the node. */
export function isNoLarger(limitUsage: Float64Array, charged: Float64Array): boolean {
  return limitUsage.every((amount, axis) => amount <= (charged[axis] ?? 0));
}

/** The most that any of the types uses of each limit; as in Karpenter, that is charged for a node. */
export function largestLimitUsage(offers: readonly TemplateOffer[]): Float64Array {
  const largest = new Float64Array(offers[0]?.of.limitUsage.length ?? 0);
  for (const { of } of offers) {
    for (const [axis, amount] of of.limitUsage.entries())
      largest[axis] = Math.max(largest[axis] ?? 0, amount);
  }
  return largest;
}

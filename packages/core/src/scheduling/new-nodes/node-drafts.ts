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

  readonly #withoutTooCheap = memoized(withoutTooCheap);
  readonly #hasBurstableTypes: boolean;

  constructor(template: NodeTemplate, options: PlanOptions, allowance: Allowance) {
    this.#template = template;
    this.#options = options;
    this.#allowance = allowance;
    this.#hasBurstableTypes = template.types.some(({ type }) => type.burst !== undefined);
  }

  /**
   * Offers that hold the pods, in any zone, the cheapest first; including those of reservations it does not
   * hold. Without types that only look cheap, if the others satisfy `minValues`.
   */
  offersFor(load: NodeLoad): readonly TemplateOffer[] {
    const masks = load.contents.map(({ item }) => item.mask);
    const holding = this.#template.ranking.holding(masks, sizeOf(load));
    if (!this.#hasBurstableTypes) return holding;
    const rest = this.#withoutTooCheap(holding);
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
   * the limits than that one, and as many more of the cheapest as `minValues` asks for.
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
    const largest = largestFootprint(ranked.slice(0, enough + 1));
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
 * Without types that a launch would prefer although they cost more: burstable ones whose offering costs less
 * than that of the first, but not with the CPU that these pods request. A launch sees the price of offerings
 * only.
 */
function withoutTooCheap(offers: readonly TemplateOffer[]): readonly TemplateOffer[] {
  const first = offers.find(({ offering }) => offering.reservation === undefined);
  if (first === undefined) return offers;
  const tooCheap = new Set<TemplateType>();
  for (const { of, offering } of offers) {
    if (of.type.burst === undefined || offering.reservation !== undefined) continue;
    if (comparePrices(offering.price, first.offering.price) < 0) tooCheap.add(of);
  }
  return tooCheap.size === 0 ? offers : offers.filter(({ of }) => !tooCheap.has(of));
}

/**
 * The cloud may launch any type of the list, so none may take more of the limits than the one that was
 * charged.
 */
export function isNoLarger(limitUsage: Float64Array, charged: Float64Array): boolean {
  return limitUsage.every((amount, axis) => amount <= (charged[axis] ?? 0));
}

/** Limit by limit, the most that any of the types takes. */
export function largestFootprint(offers: readonly TemplateOffer[]): Float64Array {
  const largest = new Float64Array(offers[0]?.of.limitUsage.length ?? 0);
  for (const { of } of offers) {
    for (const [axis, amount] of of.limitUsage.entries())
      largest[axis] = Math.max(largest[axis] ?? 0, amount);
  }
  return largest;
}

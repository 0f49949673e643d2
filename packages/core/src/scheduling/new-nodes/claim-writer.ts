import { labelKeys, provisioningTuning } from '../../api/index.ts';
import {
  type LabelKey,
  Requirement,
  Requirements,
  type WrittenRequirement,
} from '../../requirements/index.ts';
import { memoized, type QuantityTexts } from '../../values/index.ts';
import type { PlanContext } from '../context/plan-context.ts';
import type { TemplateOffer } from '../instance-types/node-template.ts';

/** Labels that exist only in plans, as in Karpenter; a NodeClaim does not contain them. */
const planningLabels = [labelKeys.hostname, labelKeys.registered, labelKeys.initialized];

/**
 * Writes the requirements, instance types and requests of NodeClaims. Hundreds of nodes have the same requirements and
 * offers, so results are memoized by the identity of both lists (ADR 0019).
 */
export class ClaimWriter {
  readonly #context: PlanContext;
  readonly #capacityType: LabelKey;
  readonly #planningKeys: readonly LabelKey[];

  readonly #summaryOf = memoized((offers: readonly TemplateOffer[]) => summaryOf(offers, this.#capacityType));

  readonly #written = memoized((joined: Requirements) =>
    memoized((capacityTypes: readonly string[]) => this.#write(joined, capacityTypes, [])),
  );

  constructor(context: PlanContext) {
    this.#context = context;
    this.#capacityType = context.vocabulary.key(labelKeys.capacityType);
    this.#planningKeys = planningLabels.map((name) => context.vocabulary.key(name));
  }

  instanceTypes(offers: readonly TemplateOffer[]): readonly string[] {
    return this.#summaryOf(offers).instanceTypes;
  }

  /**
   * Requirements of the pods together, with only those capacity types that have an available offering. A node
   * that holds reservations is pinned to their ids.
   */
  requirements(
    joined: Requirements,
    offers: readonly TemplateOffer[],
    held: readonly string[],
  ): readonly WrittenRequirement[] {
    const { capacityTypes } = this.#summaryOf(offers);
    return held.length === 0
      ? this.#written(joined)(capacityTypes)
      : this.#write(joined, capacityTypes, held);
  }

  #write(joined: Requirements, offered: readonly string[], held: readonly string[]) {
    const { vocabulary, options } = this.#context;
    const required = joined.get(this.#capacityType);
    const available = offered.filter((value) => required.has(value));
    const idLabel = options.reservedCapacity?.idLabel;
    return Requirements.of([
      ...joined.without(...this.#planningKeys).entries,
      ...(available.length === 0 ? [] : [Requirement.in(this.#capacityType, available)]),
      ...(held.length === 0 || idLabel === undefined ? [] : [Requirement.in(vocabulary.key(idLabel), held)]),
    ]).toItems();
  }

  /** Requests of the pods, plus daemon overhead once. */
  requests(size: Float64Array, offers: readonly TemplateOffer[]): QuantityTexts {
    const { daemons } = this.#summaryOf(offers);
    return this.#context.axes.texts(size.map((amount, axis) => amount + (daemons[axis] ?? 0)));
  }
}

/** What a NodeClaim says about its offers. */
interface OffersSummary {
  readonly instanceTypes: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Daemon overhead: of each resource the least over the possible types, as in Karpenter. */
  readonly daemons: Float64Array;
}

/**
 * Offers come the cheapest first, so that truncation to the maximum of a NodeClaim drops the most expensive
 * types. There are thousands of offers and few kinds of them: comparing kinds is faster than a set of all.
 */
function summaryOf(offers: readonly TemplateOffer[], capacityType: LabelKey): OffersSummary {
  const listed = new Set<number>();
  const instanceTypes: string[] = [];
  const offered: Requirements[] = [];
  const sizes: Float64Array[] = [];
  for (let i = 0; i < offers.length; i++) {
    const offer = offers[i];
    if (offer === undefined) continue;
    const { of, offering } = offer;
    if (listed.size < provisioningTuning.maxInstanceTypesPerNodeClaim && !listed.has(of.index)) {
      listed.add(of.index);
      instanceTypes.push(of.type.name);
    }
    if (!offered.includes(offering.requirements)) offered.push(offering.requirements);
    if (!sizes.includes(of.daemonSize)) sizes.push(of.daemonSize);
  }
  const [first = new Float64Array(), ...others] = sizes;
  return {
    instanceTypes,
    capacityTypes: [...new Set(offered.flatMap((each) => each.find(capacityType)?.values() ?? []))],
    daemons: others.reduce(
      (least, each) => least.map((amount, axis) => Math.min(amount, each[axis] ?? 0)),
      first,
    ),
  };
}

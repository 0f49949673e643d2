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

/** Labels that exist only while planning. */
const planningLabels = [labelKeys.hostname, labelKeys.registered, labelKeys.initialized];

/**
 * Writes what a NodeClaim states. Hundreds of nodes have the same requirements and fit on the same offers, so
 * each is written once for each list of offers and each set of requirements.
 */
export class ClaimWriter {
  readonly #context: PlanContext;
  readonly #capacityType: LabelKey;
  readonly #left: readonly LabelKey[];

  readonly #summaryOf = memoized((offers: readonly TemplateOffer[]) => summaryOf(offers, this.#capacityType));

  readonly #written = memoized((joined: Requirements) =>
    memoized((capacityTypes: readonly string[]) => this.#write(joined, capacityTypes, [])),
  );

  constructor(context: PlanContext) {
    this.#context = context;
    this.#capacityType = context.vocabulary.key(labelKeys.capacityType);
    this.#left = planningLabels.map((name) => context.vocabulary.key(name));
  }

  instanceTypes(offers: readonly TemplateOffer[]): readonly string[] {
    return this.#summaryOf(offers).instanceTypes;
  }

  /** What the pods together require, of capacity types only those that can be had, and the reservations it holds. */
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
    const wanted = joined.get(this.#capacityType);
    const available = offered.filter((value) => wanted.has(value));
    const idLabel = options.reservedCapacity?.idLabel;
    return Requirements.of([
      ...joined.without(...this.#left).entries,
      ...(available.length === 0 ? [] : [Requirement.in(this.#capacityType, available)]),
      ...(held.length === 0 || idLabel === undefined ? [] : [Requirement.in(vocabulary.key(idLabel), held)]),
    ]).toItems();
  }

  /** Of the pods, and once of the daemons. */
  requests(size: Float64Array, offers: readonly TemplateOffer[]): QuantityTexts {
    const { daemons } = this.#summaryOf(offers);
    return this.#context.axes.texts(size.map((amount, axis) => amount + (daemons[axis] ?? 0)));
  }
}

/** What a NodeClaim takes from the offers that it fits on. */
interface OffersSummary {
  readonly instanceTypes: readonly string[];
  readonly capacityTypes: readonly string[];
  /** The least of each resource that the daemons on every type still possible take. */
  readonly daemons: Float64Array;
}

/** Offers come the cheapest first; only so many types fit into a NodeClaim. */
function summaryOf(offers: readonly TemplateOffer[], capacityType: LabelKey): OffersSummary {
  const names = new Set<string>();
  const offered = new Set<Requirements>();
  const sizes = new Set<Float64Array>();
  let last: Float64Array | undefined;
  for (const { of, offering } of offers) {
    if (names.size < provisioningTuning.maxInstanceTypesPerNodeClaim) names.add(of.type.name);
    offered.add(offering.requirements);
    if (of.daemonSize !== last) sizes.add(of.daemonSize);
    last = of.daemonSize;
  }
  const values = Array.from(offered, (each) => each.find(capacityType)?.values() ?? []);
  const [first = new Float64Array(), ...others] = sizes;
  return {
    instanceTypes: [...names],
    capacityTypes: [...new Set(values.flat())],
    daemons: others.reduce(
      (least, each) => least.map((amount, axis) => Math.min(amount, each[axis] ?? 0)),
      first,
    ),
  };
}

import { capacityTypes, labelKeys } from '../../api/index.ts';
import type { InstanceType, Offering } from '../../ports/index.ts';
import {
  checkMinValues,
  coreLabelAliases,
  type LabelKeySet,
  type MinValuesOutcome,
  Requirement,
  type RequirementItem,
  Requirements,
  Vocabulary,
} from '../../requirements/index.ts';
import type { PlannedNode, PlanOptions, Snapshot } from '../../scheduling/index.ts';

/** The order in which a launch tries capacity types, as in Karpenter. */
const launchOrder = [capacityTypes.reserved, capacityTypes.spot, capacityTypes.onDemand];

/** A node that a simulation would create, with the types and requirements that decide its price. */
export interface Replacement {
  readonly planned: PlannedNode;
  readonly requirements: Requirements;
  /** Cheapest first. */
  readonly types: readonly InstanceType[];
}

/** Prices of replacements, from the instance types of a snapshot. */
export class PriceBook {
  readonly #vocabulary: Vocabulary;
  readonly #wellKnown: LabelKeySet;
  readonly #reservationLabel: string | undefined;
  readonly #instanceTypes: Snapshot['instanceTypes'];
  readonly #types = new Map<string, ReadonlyMap<string, InstanceType>>();
  readonly #parsed = new Map<readonly RequirementItem[], Requirements>();

  constructor(instanceTypes: Snapshot['instanceTypes'], options: PlanOptions) {
    this.#vocabulary = new Vocabulary({
      ...coreLabelAliases,
      keys: new Map([...coreLabelAliases.keys, ...options.labelAliases]),
    });
    this.#wellKnown = this.#vocabulary.keySet(options.wellKnownLabels);
    this.#reservationLabel = options.reservedCapacity?.idLabel;
    this.#instanceTypes = instanceTypes;
  }

  /** Converts a planned node. One that holds a reservation is limited to reserved capacity, as its launch will be. */
  replacement(planned: PlannedNode): Replacement {
    const byName = this.#typesOf(planned.nodePool);
    const requirements = Requirements.fromItems(this.#vocabulary, planned.requirements);
    const replacement = {
      planned,
      requirements,
      types: planned.instanceTypes.flatMap((name) => byName.get(name) ?? []),
    };
    return this.reservations(planned).length > 0
      ? this.restricted(replacement, capacityTypes.reserved)
      : replacement;
  }

  /** Ids of the capacity reservations that the node holds. */
  reservations({ requirements }: PlannedNode): readonly string[] {
    const reservation = requirements.find(
      ({ key, operator }) => key === this.#reservationLabel && operator === 'In',
    );
    return reservation?.values ?? [];
  }

  allows({ requirements }: Replacement, capacityType: string): boolean {
    return requirements.get(this.#vocabulary.key(labelKeys.capacityType)).has(capacityType);
  }

  /** Restricts the launch to one capacity type. */
  restricted(replacement: Replacement, capacityType: string): Replacement {
    const key = this.#vocabulary.key(labelKeys.capacityType);
    const requirements = replacement.requirements.with(Requirement.in(key, [capacityType]));
    return {
      ...replacement,
      requirements,
      planned: { ...replacement.planned, requirements: requirements.toItems() },
    };
  }

  /** Restricts the launch to some of its types. */
  limitedTo({ planned, requirements }: Replacement, types: readonly InstanceType[]): Replacement {
    const price = types[0] === undefined ? planned.price : this.#cheapest(types[0], requirements);
    return {
      requirements,
      types,
      planned: { ...planned, instanceTypes: types.map(({ name }) => name), price },
    };
  }

  /**
   * The most that launching the type can cost: the most expensive offering of the capacity type that would be
   * tried first.
   */
  worstPrice(type: InstanceType, requirements: Requirements): number {
    const usable = this.#usable(type, requirements);
    for (const capacityType of launchOrder) {
      const prices = usable
        .filter((offering) => this.#isOf(offering, capacityType))
        .map(({ price }) => price);
      if (prices.length > 0) return Math.max(...prices);
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Whether launching the type costs less than `price` whichever offering it gets. The first check excludes most. */
  isBelow(type: InstanceType, requirements: Requirements, price: number): boolean {
    return (
      type.offerings.some((offering) => offering.price < price) && this.worstPrice(type, requirements) < price
    );
  }

  hasOffering(type: InstanceType, requirements: Requirements, capacityType: string): boolean {
    return this.#usable(type, requirements).some((offering) => this.#isOf(offering, capacityType));
  }

  /** The most likely price: the cheapest offering of the first type; 0 when unknown. */
  launchPrice({ requirements, types }: Replacement): number {
    const [first] = types;
    return first === undefined ? 0 : this.#cheapest(first, requirements);
  }

  minValues({ requirements }: Replacement, types: readonly InstanceType[]): MinValuesOutcome {
    return checkMinValues(
      requirements,
      types.map((type) => this.#requirements(type.requirements)),
    );
  }

  #cheapest(type: InstanceType, requirements: Requirements): number {
    const prices = this.#usable(type, requirements).map(({ price }) => price);
    return prices.length === 0 ? 0 : Math.min(...prices);
  }

  #usable(type: InstanceType, requirements: Requirements): readonly Offering[] {
    return type.offerings.filter(
      ({ available, requirements: offered }) =>
        available && requirements.compatible(this.#requirements(offered), this.#wellKnown),
    );
  }

  #isOf({ requirements }: Offering, capacityType: string): boolean {
    return this.#requirements(requirements)
      .get(this.#vocabulary.key(labelKeys.capacityType))
      .has(capacityType);
  }

  #requirements(items: readonly RequirementItem[]): Requirements {
    const known = this.#parsed.get(items);
    if (known !== undefined) return known;
    const created = Requirements.fromItems(this.#vocabulary, items);
    this.#parsed.set(items, created);
    return created;
  }

  #typesOf(nodePool: string): ReadonlyMap<string, InstanceType> {
    const known = this.#types.get(nodePool);
    if (known !== undefined) return known;
    const types = this.#instanceTypes.get(nodePool) ?? [];
    const created = new Map(types.map((type) => [type.name, type]));
    this.#types.set(nodePool, created);
    return created;
  }
}

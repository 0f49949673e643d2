import { capacityTypes, labelKeys } from '../api/index.ts';
import type { InstanceType, Offering } from '../ports/index.ts';
import {
  checkMinValues,
  coreLabelAliases,
  type LabelKeySet,
  type MinValuesOutcome,
  Requirement,
  type RequirementItem,
  Requirements,
  Vocabulary,
} from '../requirements/index.ts';
import type { PlannedNode, PlanOptions, Snapshot } from '../scheduling/index.ts';

/** In which order a launch takes what it may have. */
const launchOrder = [capacityTypes.reserved, capacityTypes.spot, capacityTypes.onDemand];

/** A node that a simulation would make, in the terms of prices. */
export interface Replacement {
  readonly planned: PlannedNode;
  readonly requirements: Requirements;
  /** The cheapest first. */
  readonly types: readonly InstanceType[];
}

/** What replacements cost, by what the instance types of a snapshot say. */
export class PriceBook {
  readonly #vocabulary: Vocabulary;
  readonly #wellKnown: LabelKeySet;
  readonly #reservationLabel: string | undefined;
  readonly #instanceTypes: Snapshot['instanceTypes'];
  readonly #types = new Map<string, ReadonlyMap<string, InstanceType>>();
  readonly #read = new Map<readonly RequirementItem[], Requirements>();

  constructor(instanceTypes: Snapshot['instanceTypes'], options: PlanOptions) {
    this.#vocabulary = new Vocabulary({
      ...coreLabelAliases,
      keys: new Map([...coreLabelAliases.keys, ...options.labelAliases]),
    });
    this.#wellKnown = this.#vocabulary.keySet(options.wellKnownLabels);
    this.#reservationLabel = options.reservedCapacity?.idLabel;
    this.#instanceTypes = instanceTypes;
  }

  /** A node that holds a reservation is launched on it and on nothing else. */
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

  /** The capacity reservations that it holds. */
  reservations({ requirements }: PlannedNode): readonly string[] {
    const held = requirements.find(
      ({ key, operator }) => key === this.#reservationLabel && operator === 'In',
    );
    return held?.values ?? [];
  }

  allows({ requirements }: Replacement, capacityType: string): boolean {
    return requirements.get(this.#vocabulary.key(labelKeys.capacityType)).has(capacityType);
  }

  /** To be launched with this capacity type only. */
  restricted(replacement: Replacement, capacityType: string): Replacement {
    const key = this.#vocabulary.key(labelKeys.capacityType);
    const requirements = replacement.requirements.with(Requirement.in(key, [capacityType]));
    return {
      ...replacement,
      requirements,
      planned: { ...replacement.planned, requirements: requirements.toItems() },
    };
  }

  /** With fewer types. */
  limitedTo({ planned, requirements }: Replacement, types: readonly InstanceType[]): Replacement {
    const price = types[0] === undefined ? planned.price : this.#cheapest(types[0], requirements);
    return {
      requirements,
      types,
      planned: { ...planned, instanceTypes: types.map(({ name }) => name), price },
    };
  }

  /** The most that a launch of the type may cost: the dearest offering of the capacity type that would be taken. */
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

  hasOffering(type: InstanceType, requirements: Requirements, capacityType: string): boolean {
    return this.#usable(type, requirements).some((offering) => this.#isOf(offering, capacityType));
  }

  /** What it would most likely cost: the cheapest offering of its first type; nothing where that is not known. */
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
    const known = this.#read.get(items);
    if (known !== undefined) return known;
    const made = Requirements.fromItems(this.#vocabulary, items);
    this.#read.set(items, made);
    return made;
  }

  #typesOf(nodePool: string): ReadonlyMap<string, InstanceType> {
    const known = this.#types.get(nodePool);
    if (known !== undefined) return known;
    const types = this.#instanceTypes.get(nodePool) ?? [];
    const made = new Map(types.map((type) => [type.name, type]));
    this.#types.set(nodePool, made);
    return made;
  }
}

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
import { memoized } from '../../values/index.ts';

/** The order in which a launch tries capacity types, as in Karpenter. */
const launchOrder = [capacityTypes.reserved, capacityTypes.spot, capacityTypes.onDemand];

/** A node that a simulation would create, with the types and requirements that decide its price. */
export interface Replacement {
  readonly planned: PlannedNode;
  readonly requirements: Requirements;
  /** Cheapest first. */
  readonly types: readonly InstanceType[];
}

/** What the requirements of an offering say. A region has a few kinds of offerings and thousands of each. */
interface OfferKind {
  readonly requirements: Requirements;
  readonly capacityTypes: ReadonlySet<string>;
  /** The place in `launchOrder` of the first capacity type that the offering may be. */
  readonly rank: number;
}

/** Prices of replacements, from the instance types of a snapshot. */
export class PriceBook {
  readonly #vocabulary: Vocabulary;
  readonly #wellKnown: LabelKeySet;
  readonly #reservationLabel: string | undefined;
  readonly #instanceTypes: Snapshot['instanceTypes'];
  readonly #types = new Map<string, ReadonlyMap<string, InstanceType>>();
  readonly #typeRequirements = memoized((type: InstanceType) => this.#parsed(type.requirements));
  readonly #kinds = new Map<string, OfferKind>();
  readonly #kindOf = memoized((items: readonly RequirementItem[]) => this.#kindWith(items));
  /** Which kinds a replacement may use; a search asks for each type of a replacement. */
  readonly #usableKinds = new WeakMap<Requirements, Map<OfferKind, boolean>>();

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
    const requirements = this.#parsed(planned.requirements);
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
  worstPrice({ offerings }: InstanceType, requirements: Requirements): number {
    let first = launchOrder.length;
    // Stays infinite without a usable offering, so that such a type never counts as cheaper.
    let worst = Number.POSITIVE_INFINITY;
    const isUsable = this.#usableBy(requirements);
    for (const offering of offerings) {
      if (!isUsable(offering)) continue;
      const { rank } = this.#kindOf(offering.requirements);
      if (rank < first) {
        first = rank;
        worst = offering.price;
      } else if (rank === first) worst = Math.max(worst, offering.price);
    }
    return worst;
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
      types.map((type) => this.#typeRequirements(type)),
    );
  }

  #cheapest(type: InstanceType, requirements: Requirements): number {
    const prices = this.#usable(type, requirements).map(({ price }) => price);
    return prices.length === 0 ? 0 : Math.min(...prices);
  }

  #usable({ offerings }: InstanceType, requirements: Requirements): readonly Offering[] {
    return offerings.filter(this.#usableBy(requirements));
  }

  #usableBy(requirements: Requirements): (offering: Offering) => boolean {
    const known = this.#usableKinds.get(requirements) ?? new Map<OfferKind, boolean>();
    this.#usableKinds.set(requirements, known);
    return (offering) => {
      if (!offering.available) return false;
      const kind = this.#kindOf(offering.requirements);
      const isUsable = known.get(kind) ?? requirements.compatible(kind.requirements, this.#wellKnown);
      known.set(kind, isUsable);
      return isUsable;
    };
  }

  #isOf({ requirements }: Offering, capacityType: string): boolean {
    return this.#kindOf(requirements).capacityTypes.has(capacityType);
  }

  #kindWith(items: readonly RequirementItem[]): OfferKind {
    const text = JSON.stringify(items);
    const known = this.#kinds.get(text);
    if (known !== undefined) return known;
    const requirements = this.#parsed(items);
    const capacityType = requirements.get(this.#vocabulary.key(labelKeys.capacityType));
    const possible = launchOrder.filter((each) => capacityType.has(each));
    const created = {
      requirements,
      capacityTypes: new Set(possible),
      rank: possible[0] === undefined ? launchOrder.length : launchOrder.indexOf(possible[0]),
    };
    this.#kinds.set(text, created);
    return created;
  }

  #parsed(items: readonly RequirementItem[]): Requirements {
    return Requirements.fromItems(this.#vocabulary, items);
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

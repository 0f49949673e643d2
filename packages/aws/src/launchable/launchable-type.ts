import { type CapacityType, capacityTypes, labelKeys } from '@karpenter/core/api';
import type { InstanceOverhead, InstanceType, Offering } from '@karpenter/core/ports';
import {
  coreLabelAliases,
  type LabelKeySet,
  type Requirement,
  type RequirementItem,
  Requirements,
  Vocabulary,
} from '@karpenter/core/requirements';
import { parseQuantity, type ResourceList, toNumber } from '@karpenter/core/values';
import { allocatableOf } from '../instance-types/index.ts';
import { awsLabelKeys, awsLabelPolicy } from '../names/index.ts';

/**
 * An instance type whose requirements are compiled with a
 * catalogue's vocabulary, so that they can be compared.
 */
export interface LaunchableType {
  readonly type: InstanceType;
  readonly name: string;
  readonly requirements: Requirements;
  /** Whether every launch may leave all of its labels undefined. */
  readonly hasOnlyWellKnownLabels: boolean;
  readonly offerings: readonly LaunchableOffering[];
  /** Allocatable resources, unless the offering has its own. */
  readonly allocatable: ResourceList;
}

/** An offering with the values of its requirements extracted. */
export interface LaunchableOffering {
  readonly requirements: Requirements;
  readonly price: number;
  readonly available: boolean;
  readonly capacityType: CapacityType;
  readonly zone: string;
  readonly partition?: string | undefined;
  readonly reservation?: ReservationOffer | undefined;
  /** Set if it differs from the type's, as with a NodeOverlay. */
  readonly allocatable?: ResourceList | undefined;
}

/** The capacity reservation of an offering. */
export interface ReservationOffer {
  readonly id: string;
  readonly type: 'default' | 'capacity-block';
  readonly interruptible: boolean;
  /** Free instances. */
  readonly capacity: number;
}

/** Types compiled with one vocabulary. */
export interface Catalogue {
  readonly vocabulary: Vocabulary;
  readonly wellKnown: LabelKeySet;
  readonly types: readonly LaunchableType[];
}

/**
 * Lists after which a new vocabulary replaces the old one, because label values of launches accumulate in it.
 */
const listsPerVocabulary = 1000;

/** What the requirements of an offering determine; price and availability are not part of it. */
type OfferingLabels = Pick<LaunchableOffering, 'requirements' | 'capacityType' | 'zone' | 'partition'> & {
  readonly reservation: Omit<ReservationOffer, 'capacity'> | undefined;
};

/**
 * Compiles types. A list changes whenever one offering does, but most
 * of its parts stay the same objects, so results are cached by object.
 */
class CatalogueBuilder {
  readonly vocabulary = new Vocabulary({ ...coreLabelAliases, keys: awsLabelPolicy.aliases });
  readonly wellKnown = this.vocabulary.keySet(awsLabelPolicy.wellKnown);
  readonly #types = new WeakMap<InstanceType, LaunchableType>();
  readonly #requirements = new WeakMap<readonly RequirementItem[], Requirements>();
  readonly #offeringLabels = new WeakMap<readonly RequirementItem[], OfferingLabels>();
  readonly #allocatable = new WeakMap<
    object,
    { readonly overhead: InstanceOverhead; readonly left: ResourceList }
  >();
  lists = 0;

  make(types: readonly InstanceType[]): Catalogue {
    this.lists += 1;
    const { vocabulary, wellKnown } = this;
    return { vocabulary, wellKnown, types: types.map((type) => this.#launchable(type)) };
  }

  #launchable(type: InstanceType): LaunchableType {
    const known = this.#types.get(type);
    if (known !== undefined) return known;
    const requirements = this.#compiled(type.requirements);
    const made: LaunchableType = {
      type,
      name: type.name,
      requirements,
      hasOnlyWellKnownLabels: requirements.entries.every(({ key }) => this.wellKnown.has(key)),
      offerings: type.offerings.map((offering) => this.#offering(type, offering)),
      allocatable: this.#allocatableOf(type),
    };
    this.#types.set(type, made);
    return made;
  }

  #offering(type: InstanceType, offering: Offering): LaunchableOffering {
    const { requirements, capacityType, zone, partition, reservation } = this.#labelsOf(
      offering.requirements,
    );
    const differs = offering.capacity !== undefined || offering.overhead !== undefined;
    // No spread: offerings are read by the thousand, and copies that begin with one get hidden classes of their own
    // (ADR 0034).
    return {
      requirements,
      capacityType,
      zone,
      partition,
      price: offering.price,
      available: offering.available,
      reservation: reservation && { ...reservation, capacity: offering.reservationCapacity ?? 0 },
      allocatable: differs
        ? allocatableOf({
            capacity: { ...type.capacity, ...offering.capacity },
            overhead: { ...type.overhead, ...offering.overhead },
          })
        : undefined,
    };
  }

  #compiled(items: readonly RequirementItem[]): Requirements {
    const known = this.#requirements.get(items);
    if (known !== undefined) return known;
    const made = Requirements.fromItems(this.vocabulary, items);
    this.#requirements.set(items, made);
    return made;
  }

  #labelsOf(items: readonly RequirementItem[]): OfferingLabels {
    const known = this.#offeringLabels.get(items);
    if (known !== undefined) return known;
    const requirements = this.#compiled(items);
    const valueAt = (key: string) => onlyValue(requirements.find(this.vocabulary.key(key)));
    const made: OfferingLabels = {
      requirements,
      capacityType: capacityTypeOf(valueAt(labelKeys.capacityType)),
      zone: valueAt(labelKeys.zone) ?? '',
      partition: valueAt(awsLabelKeys.placementGroupPartition),
      reservation: reservationOf(valueAt),
    };
    this.#offeringLabels.set(items, made);
    return made;
  }

  #allocatableOf({ capacity, overhead }: InstanceType): ResourceList {
    const known = this.#allocatable.get(capacity);
    if (known?.overhead === overhead) return known.left;
    const left = allocatableOf({ capacity, overhead });
    this.#allocatable.set(capacity, { overhead, left });
    return left;
  }
}

let builder = new CatalogueBuilder();
const made = new WeakMap<readonly InstanceType[], Catalogue>();

/** Returns the compiled types of a list, cached by list because launches come in bursts. */
export function catalogueOf(types: readonly InstanceType[]): Catalogue {
  const earlier = made.get(types);
  if (earlier !== undefined) return earlier;
  if (builder.lists >= listsPerVocabulary) builder = new CatalogueBuilder();
  const catalogue = builder.make(types);
  made.set(types, catalogue);
  return catalogue;
}

function reservationOf(
  valueAt: (key: string) => string | undefined,
): Omit<ReservationOffer, 'capacity'> | undefined {
  const id = valueAt(awsLabelKeys.capacityReservationId);
  if (id === undefined) return undefined;
  return {
    id,
    type: valueAt(awsLabelKeys.capacityReservationType) === 'capacity-block' ? 'capacity-block' : 'default',
    interruptible: valueAt(awsLabelKeys.capacityReservationInterruptible) === 'true',
  };
}

function capacityTypeOf(text: string | undefined): CapacityType {
  return Object.values(capacityTypes).find((type) => type === text) ?? capacityTypes.onDemand;
}

/** Returns the value of a requirement that allows exactly one. */
export function onlyValue(requirement: Requirement | undefined): string | undefined {
  return requirement !== undefined && requirement.cardinality === 1 ? requirement.values()[0] : undefined;
}

/** Parsed capacities by type, because every launch reads those of all its types in each zone. */
const capacities = new WeakMap<LaunchableType['type']['capacity'], Map<string, number>>();

/** Returns the type's capacity of a resource as a number; 0 if it has none. */
export function capacityOf({ type: { capacity } }: LaunchableType, resource: string): number {
  const known = capacities.get(capacity) ?? new Map<string, number>();
  capacities.set(capacity, known);
  const text = capacity[resource];
  const amount = known.get(resource) ?? (text === undefined ? 0 : toNumber(parseQuantity(text, resource)));
  known.set(resource, amount);
  return amount;
}

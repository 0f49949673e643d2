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

/** An instance type in the terms of one catalogue, so that requirements can be compared. */
export interface LaunchableType {
  readonly type: InstanceType;
  readonly name: string;
  readonly requirements: Requirements;
  readonly offerings: readonly LaunchableOffering[];
  /** What is left for pods, but for offerings that differ. */
  readonly allocatable: ResourceList;
}

export interface LaunchableOffering {
  readonly requirements: Requirements;
  readonly price: number;
  readonly available: boolean;
  readonly capacityType: CapacityType;
  readonly zone: string;
  readonly partition?: string | undefined;
  readonly reservation?: ReservationOffer | undefined;
  /** Where it differs from the type. */
  readonly allocatable?: ResourceList | undefined;
}

export interface ReservationOffer {
  readonly id: string;
  readonly type: 'default' | 'capacity-block';
  readonly interruptible: boolean;
  /** How many instances it still holds. */
  readonly capacity: number;
}

/** Types whose labels share a vocabulary, and what may be said in it. */
export interface Catalogue {
  readonly vocabulary: Vocabulary;
  readonly wellKnown: LabelKeySet;
  readonly types: readonly LaunchableType[];
}

/** After so many lists the vocabulary starts afresh, since what launches add to it would pile up. */
const listsPerVocabulary = 1000;

/** What the requirements of an offering say, without what it costs. */
type Spot = Pick<LaunchableOffering, 'requirements' | 'capacityType' | 'zone' | 'partition'> & {
  readonly reservation: Omit<ReservationOffer, 'capacity'> | undefined;
};

/**
 * Makes types ready for comparison. A list changes whenever one offering does, but most of what is in it stays the
 * same objects, so work is remembered by object.
 */
class CatalogueMaker {
  readonly vocabulary = new Vocabulary({ ...coreLabelAliases, keys: awsLabelPolicy.aliases });
  readonly wellKnown = this.vocabulary.keySet(awsLabelPolicy.wellKnown);
  readonly #requirements = new WeakMap<readonly RequirementItem[], Requirements>();
  readonly #spots = new WeakMap<readonly RequirementItem[], Spot>();
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
    return {
      type,
      name: type.name,
      requirements: this.#compiled(type.requirements),
      offerings: type.offerings.map((offering) => this.#offering(type, offering)),
      allocatable: this.#left(type),
    };
  }

  #offering(type: InstanceType, offering: Offering): LaunchableOffering {
    const { reservation, ...spot } = this.#spot(offering.requirements);
    const differs = offering.capacity !== undefined || offering.overhead !== undefined;
    return {
      ...spot,
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

  #spot(items: readonly RequirementItem[]): Spot {
    const known = this.#spots.get(items);
    if (known !== undefined) return known;
    const requirements = this.#compiled(items);
    const valueAt = (key: string) => onlyValue(requirements.find(this.vocabulary.key(key)));
    const made: Spot = {
      requirements,
      capacityType: capacityTypeOf(valueAt(labelKeys.capacityType)),
      zone: valueAt(labelKeys.zone) ?? '',
      partition: valueAt(awsLabelKeys.placementGroupPartition),
      reservation: reservationOf(valueAt),
    };
    this.#spots.set(items, made);
    return made;
  }

  #left({ capacity, overhead }: InstanceType): ResourceList {
    const known = this.#allocatable.get(capacity);
    if (known?.overhead === overhead) return known.left;
    const left = allocatableOf({ capacity, overhead });
    this.#allocatable.set(capacity, { overhead, left });
    return left;
  }
}

let maker = new CatalogueMaker();
const made = new WeakMap<readonly InstanceType[], Catalogue>();

/** The types ready for comparison, worked out once for each list: launches come in bursts. */
export function catalogueOf(types: readonly InstanceType[]): Catalogue {
  const earlier = made.get(types);
  if (earlier !== undefined) return earlier;
  if (maker.lists >= listsPerVocabulary) maker = new CatalogueMaker();
  const catalogue = maker.make(types);
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

/** The value of a requirement that leaves no choice. */
export function onlyValue(requirement: Requirement | undefined): string | undefined {
  return requirement !== undefined && requirement.cardinality === 1 ? requirement.values()[0] : undefined;
}

/** How much of a resource the type has, as a plain number. */
export function capacityOf({ type }: LaunchableType, resource: string): number {
  const text = type.capacity[resource];
  return text === undefined ? 0 : toNumber(parseQuantity(text, resource));
}

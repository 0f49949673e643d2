import { type CapacityType, capacityTypes, labelKeys } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import {
  coreLabelAliases,
  type LabelKeySet,
  type Requirement,
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

const known = new WeakMap<readonly InstanceType[], Catalogue>();

/**
 * The types ready for comparison, worked out once for each list: launches come in bursts and the list stays the
 * same for minutes. What a launch adds to the vocabulary goes with the list.
 */
export function catalogueOf(types: readonly InstanceType[]): Catalogue {
  const earlier = known.get(types);
  if (earlier !== undefined) return earlier;
  const vocabulary = new Vocabulary({ ...coreLabelAliases, keys: awsLabelPolicy.aliases });
  const wellKnown = vocabulary.keySet(awsLabelPolicy.wellKnown);
  const catalogue = { vocabulary, wellKnown, types: types.map((type) => launchable(type, vocabulary)) };
  known.set(types, catalogue);
  return catalogue;
}

function launchable(type: InstanceType, vocabulary: Vocabulary): LaunchableType {
  return {
    type,
    name: type.name,
    requirements: Requirements.fromItems(vocabulary, type.requirements),
    offerings: type.offerings.map((offering) => launchableOffering(type, offering, vocabulary)),
    allocatable: allocatableOf(type),
  };
}

function launchableOffering(
  type: InstanceType,
  offering: Offering,
  vocabulary: Vocabulary,
): LaunchableOffering {
  const requirements = Requirements.fromItems(vocabulary, offering.requirements);
  const valueAt = (key: string) => onlyValue(requirements.find(vocabulary.key(key)));
  const differs = offering.capacity !== undefined || offering.overhead !== undefined;
  return {
    requirements,
    price: offering.price,
    available: offering.available,
    capacityType: capacityTypeOf(valueAt(labelKeys.capacityType)),
    zone: valueAt(labelKeys.zone) ?? '',
    partition: valueAt(awsLabelKeys.placementGroupPartition),
    reservation: reservationOf(offering, valueAt),
    allocatable: differs
      ? allocatableOf({
          capacity: { ...type.capacity, ...offering.capacity },
          overhead: { ...type.overhead, ...offering.overhead },
        })
      : undefined,
  };
}

function reservationOf(
  { reservationCapacity }: Offering,
  valueAt: (key: string) => string | undefined,
): ReservationOffer | undefined {
  const id = valueAt(awsLabelKeys.capacityReservationId);
  if (id === undefined) return undefined;
  return {
    id,
    type: valueAt(awsLabelKeys.capacityReservationType) === 'capacity-block' ? 'capacity-block' : 'default',
    interruptible: valueAt(awsLabelKeys.capacityReservationInterruptible) === 'true',
    capacity: reservationCapacity ?? 0,
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

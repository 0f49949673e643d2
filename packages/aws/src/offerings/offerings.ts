import { type CapacityType, labelKeys } from '@karpenter/core/api';
import type { Offering } from '@karpenter/core/ports';
import type { RequirementItem } from '@karpenter/core/requirements';
import type { RequirementPool } from '../instance-types/index.ts';
import {
  type ClassZone,
  type DescribedType,
  nameOf,
  type PlacementGroup,
  partitionsOf,
  reservationLabelKeys,
  usageClassesOf,
} from '../instance-types/index.ts';
import { awsLabelKeys } from '../names/index.ts';
import type { CapacityReservationStatus } from '../node-class/index.ts';
import type { OfferingName } from './unavailable-offerings.ts';

/** Price and availability of offerings. */
export interface OfferingMarket {
  onDemandPrice(instanceType: string): number | undefined;
  spotPrice(instanceType: string, zone: string): number | undefined;
  isUnavailable(offering: OfferingName): boolean;
  /** Whether launches of many similar offerings failed lately (ADR 0029). */
  isSuspect(offering: OfferingName): boolean;
  /** Whether all of the class's subnets in the zone lack free addresses. */
  isExhausted(zone: string): boolean;
  /** Whether a zonal shift moves traffic away from the zone. */
  isShifted(zoneId: string): boolean;
  /** Free instances of a capacity reservation. */
  freeInReservation(reservationId: string): number;
}

/** Inputs to building the offerings of one type for one EC2NodeClass. */
export interface OfferingInputs {
  readonly type: DescribedType;
  /**
   * All zones of the region. Zones that do not offer the type
   * get unavailable offerings, as in Karpenter's metrics.
   */
  readonly regionZones: readonly string[];
  /** Zones that offer the type and have a subnet of the class. */
  readonly usableZones: ReadonlySet<string>;
  readonly classZones: readonly ClassZone[];
  readonly isCompatible: boolean;
  readonly reservations: readonly CapacityReservationStatus[];
  readonly group?: PlacementGroup | undefined;
}

/**
 * Price of reserved capacity as a share of on-demand, as in
 * Karpenter: always preferred, in order of on-demand price.
 */
const reservedShare = 1 / 10_000_000;

/** Returns the offerings of a type in every zone and capacity type, reserved ones last. */
export function offeringsOf(
  inputs: OfferingInputs,
  market: OfferingMarket,
  pool: RequirementPool,
): readonly Offering[] {
  return [...unreservedOfferings(inputs, market, pool), ...reservedOfferings(inputs, market, pool)];
}

function unreservedOfferings(
  inputs: OfferingInputs,
  market: OfferingMarket,
  pool: RequirementPool,
): readonly Offering[] {
  const usageClasses = usageClassesOf(inputs.type);
  return inputs.regionZones.flatMap((zone) =>
    usageClasses.flatMap((capacityType) => {
      const price = priceOf(nameOf(inputs.type), zone, capacityType, market);
      return slotsOf(inputs.group).map((slot) => ({
        requirements: requirementsOf({ inputs, zone, capacityType, slot }, pool),
        // Without a price the offering is unavailable, not free: see `availabilityOf`.
        price: price ?? 0,
        ...availabilityOf({ inputs, zone, capacityType, slot }, price, market),
      }));
    }),
  );
}

function priceOf(name: string, zone: string, capacityType: 'on-demand' | 'spot', market: OfferingMarket) {
  return capacityType === 'spot' ? market.spotPrice(name, zone) : market.onDemandPrice(name);
}

function reservedOfferings(
  inputs: OfferingInputs,
  market: OfferingMarket,
  pool: RequirementPool,
): readonly Offering[] {
  // An unknown price counts as 0, as in Karpenter; other offerings without a price are unavailable.
  const onDemand = market.onDemandPrice(nameOf(inputs.type)) ?? 0;
  return inputs.reservations.flatMap((reservation) => {
    const { id, state } = reservation;
    const zone = reservation.availabilityZone;
    const free = market.freeInReservation(id);
    // Marks of unavailable offerings do not apply: a shortage sets the free count of the reservation to 0.
    const isOpen = isUsable(inputs, zone, market) && free > 0 && state !== 'expiring';
    return slotsOf(inputs.group).map((slot) => ({
      requirements: requirementsOf({ inputs, zone, capacityType: 'reserved', slot, reservation }, pool),
      price: onDemand * reservedShare,
      available: isOpen,
      reservationCapacity: free,
    }));
  });
}

/** Identifies one offering within a type. */
interface Slot {
  readonly inputs: OfferingInputs;
  readonly zone: string;
  readonly capacityType: CapacityType;
  /** Partition of the placement group; undefined without partitions. */
  readonly slot: string | undefined;
  readonly reservation?: CapacityReservationStatus;
}

/** The partitions of a group, or one undefined slot for a group without. */
function slotsOf(group: PlacementGroup | undefined): readonly (string | undefined)[] {
  const partitions = partitionsOf(group);
  return partitions.length === 0 ? [undefined] : partitions;
}

function availabilityOf(
  { inputs, zone, capacityType, slot }: Slot,
  price: number | undefined,
  market: OfferingMarket,
): Pick<Offering, 'available' | 'isSuspect'> {
  const instanceType = nameOf(inputs.type);
  const name = { instanceType, zone, capacityType, placementGroup: inputs.group?.id, partition: slot };
  const isUnavailable = price === undefined || !isUsable(inputs, zone, market) || market.isUnavailable(name);
  if (isUnavailable) return { available: false };
  return market.isSuspect(name) ? { available: false, isSuspect: true } : { available: true };
}

/** Whether the class can launch the type in the zone at all, whatever the price and recent failures. */
function isUsable(inputs: OfferingInputs, zone: string, market: OfferingMarket): boolean {
  const id = zoneIdOf(inputs, zone);
  const isShifted = id !== undefined && market.isShifted(id);
  return inputs.isCompatible && inputs.usableZones.has(zone) && !isShifted && !market.isExhausted(zone);
}

function zoneIdOf({ classZones }: OfferingInputs, zone: string): string | undefined {
  return classZones.find(({ name }) => name === zone)?.id;
}

function requirementsOf(offering: Slot, pool: RequirementPool): readonly RequirementItem[] {
  const { inputs, zone, capacityType, slot, reservation } = offering;
  const id = zoneIdOf(inputs, zone);
  const { id: reservationId = '', reservationType = '', interruptible = '' } = reservation ?? {};
  const name = `${capacityType} ${zone} ${id} ${slot} ${reservationId} ${reservationType} ${interruptible}`;
  return pool.named(name, () => [
    pool.item(labelKeys.capacityType, [capacityType]),
    pool.item(labelKeys.zone, [zone]),
    ...(id === undefined ? [] : [pool.item(awsLabelKeys.zoneId, [id])]),
    ...reservationRequirements(offering, pool),
    ...(slot === undefined ? [] : [pool.item(awsLabelKeys.placementGroupPartition, [slot])]),
  ]);
}

function reservationRequirements({ reservation }: Slot, pool: RequirementPool): readonly RequirementItem[] {
  if (reservation === undefined) return reservationLabelKeys.map((key) => pool.item(key, []));
  const { id, reservationType = 'default', interruptible = false } = reservation;
  return [
    pool.item(awsLabelKeys.capacityReservationId, [id]),
    pool.item(awsLabelKeys.capacityReservationType, [reservationType]),
    pool.item(awsLabelKeys.capacityReservationInterruptible, [String(interruptible)]),
  ];
}

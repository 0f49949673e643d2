import { type CapacityType, labelKeys } from '@karpenter/core/api';
import type { Offering } from '@karpenter/core/ports';
import type { RequirementItem } from '@karpenter/core/requirements';
import { type DescribedType, nameOf } from '../instance-types/described-type.ts';
import { reservationLabelKeys } from '../instance-types/labels.ts';
import { type ClassZone, type PlacementGroup, partitionsOf } from '../instance-types/place.ts';
import type { RequirementPool } from '../instance-types/requirement-pool.ts';
import { soldAs } from '../instance-types/type-requirements.ts';
import { awsLabelKeys } from '../names/index.ts';
import type { CapacityReservationStatus } from '../node-class/index.ts';
import type { OfferingName } from './unavailable-offerings.ts';

/** What decides whether an offering can be had, and for how much. */
export interface Market {
  onDemandPrice(instanceType: string): number | undefined;
  spotPrice(instanceType: string, zone: string): number | undefined;
  isUnavailable(offering: OfferingName): boolean;
  /** Whether much that is like it could not be had lately. */
  isDoubted(offering: OfferingName): boolean;
  /** Whether all subnets that the class has in the zone are out of addresses. */
  isExhausted(zone: string): boolean;
  /** Whether traffic is shifted away from the zone. */
  isShifted(zoneId: string): boolean;
  /** How many instances a reservation still holds. */
  freeInReservation(reservationId: string): number;
}

export interface Sale {
  readonly type: DescribedType;
  /** Every zone of the region, whoever sells what there: people are told of what they cannot have. */
  readonly regionZones: readonly string[];
  /** Zones that both sell the type and have a subnet of the class. */
  readonly usableZones: ReadonlySet<string>;
  readonly classZones: readonly ClassZone[];
  readonly isCompatible: boolean;
  readonly reservations: readonly CapacityReservationStatus[];
  readonly group?: PlacementGroup | undefined;
}

/** So much less than on-demand that it is always preferred, in the order of what instances would have cost. */
const reservedShare = 1 / 10_000_000;

/** A type in every zone and way that it is sold, the reserved ones last. */
export function offeringsOf(sale: Sale, market: Market, pool: RequirementPool): readonly Offering[] {
  return [...openOfferings(sale, market, pool), ...reservedOfferings(sale, market, pool)];
}

function openOfferings(sale: Sale, market: Market, pool: RequirementPool): readonly Offering[] {
  const sold = soldAs(sale.type);
  return sale.regionZones.flatMap((zone) =>
    sold.flatMap((capacityType) => {
      const price = priceOf(nameOf(sale.type), zone, capacityType, market);
      return slotsOf(sale.group).map((slot) => ({
        requirements: requirementsOf({ sale, zone, capacityType, slot }, pool),
        price: price ?? 0,
        ...chanceOf({ sale, zone, capacityType, slot }, price, market),
      }));
    }),
  );
}

function priceOf(name: string, zone: string, capacityType: 'on-demand' | 'spot', market: Market) {
  return capacityType === 'spot' ? market.spotPrice(name, zone) : market.onDemandPrice(name);
}

function reservedOfferings(sale: Sale, market: Market, pool: RequirementPool): readonly Offering[] {
  const onDemand = market.onDemandPrice(nameOf(sale.type)) ?? 0;
  return sale.reservations.flatMap((reservation) => {
    const { id, state } = reservation;
    const zone = reservation.availabilityZone;
    const free = market.freeInReservation(id);
    const isOpen = isUsable(sale, zone, market) && free > 0 && state !== 'expiring';
    return slotsOf(sale.group).map((slot) => ({
      requirements: requirementsOf({ sale, zone, capacityType: 'reserved', slot, reservation }, pool),
      price: onDemand * reservedShare,
      available: isOpen,
      reservationCapacity: free,
    }));
  });
}

/** One offering, before it is known whether it can be had. */
interface Slot {
  readonly sale: Sale;
  readonly zone: string;
  readonly capacityType: CapacityType;
  /** The partition of the placement group, where there are any. */
  readonly slot: string | undefined;
  readonly reservation?: CapacityReservationStatus;
}

function slotsOf(group: PlacementGroup | undefined): readonly (string | undefined)[] {
  const partitions = partitionsOf(group);
  return partitions.length === 0 ? [undefined] : partitions;
}

function chanceOf(
  { sale, zone, capacityType, slot }: Slot,
  price: number | undefined,
  market: Market,
): Pick<Offering, 'available' | 'isSuspect'> {
  const instanceType = nameOf(sale.type);
  const name = { instanceType, zone, capacityType, placementGroup: sale.group?.id, partition: slot };
  const isOut = price === undefined || !isUsable(sale, zone, market) || market.isUnavailable(name);
  if (isOut) return { available: false };
  return market.isDoubted(name) ? { available: false, isSuspect: true } : { available: true };
}

function isUsable(sale: Sale, zone: string, market: Market): boolean {
  const id = zoneIdOf(sale, zone);
  const isShifted = id !== undefined && market.isShifted(id);
  return sale.isCompatible && sale.usableZones.has(zone) && !isShifted && !market.isExhausted(zone);
}

function zoneIdOf({ classZones }: Sale, zone: string): string | undefined {
  return classZones.find(({ name }) => name === zone)?.id;
}

function requirementsOf(offering: Slot, pool: RequirementPool): readonly RequirementItem[] {
  const { sale, zone, capacityType, slot, reservation } = offering;
  const id = zoneIdOf(sale, zone);
  const { id: held = '', reservationType = '', interruptible = '' } = reservation ?? {};
  const name = `${capacityType} ${zone} ${id} ${slot} ${held} ${reservationType} ${interruptible}`;
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

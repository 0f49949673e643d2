import { capacityTypes, labelKeys } from '@karpenter/core/api';
import { type Gauges, type InstanceType, isAvailableOrSuspect, type Offering } from '@karpenter/core/ports';
import { awsMetrics } from '../names/index.ts';

/** Metric values of an instance type in one zone and capacity type. */
export interface OfferingSeries {
  readonly instanceType: string;
  readonly capacityType: string;
  readonly zone: string;
  readonly available: boolean;
  readonly price: number;
}

/**
 * Returns one series per type, zone and capacity type of all NodePools. It is available if it is for any
 * NodePool, and has the price of the last one. With `withReserved`, types without a reservation get a
 * `reserved` series with 0, not a gap.
 */
export function offeringSeries(
  views: readonly (readonly InstanceType[])[],
  { withReserved }: { readonly withReserved: boolean },
): readonly OfferingSeries[] {
  const series = new Map<string, OfferingSeries>();
  // NodePools of one class share the type objects, so each is read once.
  for (const { name, offerings } of new Set(views.flat())) {
    for (const offering of offerings) {
      const seen = seriesOf(name, offering);
      if (withReserved) addUnlessKnown(series, noReservation(seen));
      if (withReserved || seen.capacityType !== capacityTypes.reserved) add(series, seen);
    }
  }
  return [...series.values()];
}

/** Sets the availability and price gauges. */
export function reportOfferings(series: readonly OfferingSeries[], gauges: Gauges): void {
  for (const { instanceType, capacityType, zone, available, price } of series) {
    const labels = { instance_type: instanceType, capacity_type: capacityType, zone };
    gauges.set(awsMetrics.offeringAvailable, labels, available ? 1 : 0);
    gauges.set(awsMetrics.offeringPriceEstimate, labels, price);
  }
}

/** A suspect offering counts as available: no launch has failed on it yet. */
function seriesOf(instanceType: string, offering: Offering): OfferingSeries {
  const { requirements, price } = offering;
  const labelOf = (key: string) => requirements.find((item) => item.key === key)?.values?.[0] ?? '';
  const capacityType = labelOf(labelKeys.capacityType);
  return {
    instanceType,
    capacityType,
    zone: labelOf(labelKeys.zone),
    available: isAvailableOrSuspect(offering),
    price,
  };
}

function noReservation(seen: OfferingSeries): OfferingSeries {
  return { ...seen, capacityType: capacityTypes.reserved, available: false, price: 0 };
}

function addUnlessKnown(series: Map<string, OfferingSeries>, seen: OfferingSeries): void {
  if (!series.has(keyOf(seen))) series.set(keyOf(seen), seen);
}

function add(series: Map<string, OfferingSeries>, seen: OfferingSeries): void {
  const known = series.get(keyOf(seen));
  series.set(keyOf(seen), { ...seen, available: seen.available || (known?.available ?? false) });
}

function keyOf({ instanceType, capacityType, zone }: OfferingSeries): string {
  return `${instanceType} ${capacityType} ${zone}`;
}

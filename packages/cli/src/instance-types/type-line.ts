import { allocatableOf, awsLabelKeys } from '@karpenter/aws';
import { capacityTypes, labelKeys } from '@karpenter/core/api';
import type { InstanceType, Offering } from '@karpenter/core/ports';
import type { RequirementItem } from '@karpenter/core/requirements';
import { isZeroQuantity, parseQuantity, type QuantityTexts, resourceTexts } from '@karpenter/core/values';
import { cataloguePrice } from '@karpenter/ec2-catalogue';

/** Everything known about a type, for programs. Leaves out resources with quantity zero. */
export function typeDocument(type: InstanceType): object {
  const { kubeReserved = {}, systemReserved = {}, evictionThreshold = {} } = type.overhead;
  return {
    name: type.name,
    labels: labelsOf(type.requirements),
    capacity: amounts(type.capacity),
    kubeReserved: amounts(kubeReserved),
    systemReserved: amounts(systemReserved),
    evictionThreshold: amounts(evictionThreshold),
    allocatable: amounts(resourceTexts(allocatableOf(type))),
    offerings: type.offerings.map((offering) => offeringJson(type, offering)),
  };
}

/** The values of each label, or the operator if it has none, such as `DoesNotExist`. */
function labelsOf(items: readonly RequirementItem[]): Readonly<Record<string, readonly string[] | string>> {
  const byKey = items.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return Object.fromEntries(byKey.map(({ key, operator, values }) => [key, values ?? operator]));
}

function amounts(texts: QuantityTexts): QuantityTexts {
  const written = Object.entries(texts).filter(([, text]) => !isZeroQuantity(parseQuantity(text)));
  return Object.fromEntries(written.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** An offering without a price is never available; JSON leaves the zero out instead of showing it as free. */
function offeringJson(type: InstanceType, offering: Offering): object {
  const reservation = offeringLabel(offering, awsLabelKeys.capacityReservationId);
  return {
    capacityType: offeringLabel(offering, labelKeys.capacityType),
    zone: offeringLabel(offering, labelKeys.zone),
    zoneId: offeringLabel(offering, awsLabelKeys.zoneId),
    ...(reservation !== undefined && { reservation }),
    ...(offering.price > 0 && { price: offering.price }),
    ...(offering.price > 0 && isEstimated(type, offering) && { estimated: true }),
    available: offering.available,
  };
}

export function offeringLabel({ requirements }: Offering, key: string): string | undefined {
  return requirements.find((item) => item.key === key)?.values?.[0];
}

/**
 * Whether the price is an estimate: every spot price of the catalogue is, and on-demand prices of families that
 * the price list of the region did not have.
 */
export function isEstimated({ name, requirements }: InstanceType, offering: Offering): boolean {
  if (offeringLabel(offering, labelKeys.capacityType) === capacityTypes.spot) return true;
  const region = requirements.find(({ key }) => key === labelKeys.region)?.values?.[0] ?? '';
  return cataloguePrice(name, region)?.origin === 'estimated';
}

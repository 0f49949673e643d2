import { labelKeys } from '../../api/index.ts';
import type { InstanceType, Offering } from '../../ports/index.ts';
import type { OfferingLabels } from '../../state/index.ts';

/**
 * Hourly price of a node: that of the first offering with its zone and capacity type, available or not.
 * Unknown prices count as 0, so that removing such a node never seems to save anything.
 */
export function nodePrice(
  type: InstanceType | undefined,
  { zone, capacityType }: Pick<OfferingLabels, 'zone' | 'capacityType'>,
): number {
  if (type === undefined || zone === undefined || capacityType === undefined) return 0;
  const found = type.offerings.find(
    (offering) =>
      offers(offering, labelKeys.zone, zone) && offers(offering, labelKeys.capacityType, capacityType),
  );
  return found === undefined || Number.isNaN(found.price) ? 0 : found.price;
}

function offers({ requirements }: Offering, key: string, value: string): boolean {
  return requirements.some(
    (item) => item.key === key && item.operator === 'In' && item.values?.includes(value) === true,
  );
}

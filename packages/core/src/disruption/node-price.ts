import { labelKeys } from '../api/index.ts';
import type { InstanceType, Offering } from '../ports/index.ts';
import type { OfferingLabels } from '../state/index.ts';

/**
 * What a node costs in an hour: the first offering with its zone and capacity type, whether or not it can be had
 * now. What is not known costs nothing, so that nothing is thought to be saved by giving it up.
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

import { capacityTypes } from '@karpenter/core/api';
import { type LaunchableOffering, type LaunchableType, lowestPrice } from '../../launchable/index.ts';
import { allows, type LaunchFilter, offeringsSoldAs, withOfferings } from './launch-filter.ts';

const { spot, onDemand } = capacityTypes;

/**
 * Drops spot offerings that cost more than the cheapest on-demand offering. With minValues they stay, as in Karpenter.
 */
export const spotOffering: LaunchFilter = {
  name: 'spot-offering-filter',
  keep: (types, required) => {
    if (required.hasMinValues || !allows(required, spot) || !allows(required, onDemand)) return types;
    const limit = cheapestOnDemand(types);
    const isAffordable = ({ capacityType, price }: LaunchableOffering) =>
      capacityType !== spot || price <= limit;
    return types
      .map((type) => affordable(type, isAffordable))
      .filter(({ offerings }) => offerings.length > 0);
  },
};

function cheapestOnDemand(types: readonly LaunchableType[]): number {
  return types.reduce(
    (least, type) => Math.min(least, lowestPrice(offeringsSoldAs(type, onDemand))),
    Number.POSITIVE_INFINITY,
  );
}

function affordable(
  type: LaunchableType,
  isAffordable: (offering: LaunchableOffering) => boolean,
): LaunchableType {
  const { offerings } = type;
  return offerings.every(isAffordable) ? type : withOfferings(type, offerings.filter(isAffordable));
}

import { capacityTypes } from '@karpenter/core/api';
import { type LaunchableOffering, offeringsSoldAs, openOfferings } from '../../launchable/index.ts';
import { allows, type LaunchFilter, withOfferings } from './launch-filter.ts';

/** Nobody pays more for a spot instance than for one that stays. */
export const spotOffering: LaunchFilter = {
  name: 'spot-offering-filter',
  keep: (types, wish) => {
    const { spot, onDemand } = capacityTypes;
    if (wish.hasMinValues || !allows(wish, spot) || !allows(wish, onDemand)) return types;
    const limit = Math.min(
      ...types.flatMap((type) => offeringsSoldAs(type, onDemand, wish).map(({ price }) => price)),
      Number.POSITIVE_INFINITY,
    );
    const isDear = ({ capacityType, price }: LaunchableOffering) => capacityType === spot && price > limit;
    return types
      .map((type) =>
        type.offerings.some(isDear)
          ? withOfferings(
              type,
              type.offerings.filter((offering) => !isDear(offering)),
            )
          : type,
      )
      .filter((type) => openOfferings(type, wish).length > 0);
  },
};

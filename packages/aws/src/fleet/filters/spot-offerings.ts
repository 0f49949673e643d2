import { capacityTypes } from '@karpenter/core/api';
import { type LaunchableOffering, offeringsSoldAs, openOfferings } from '../../launchable/index.ts';
import { allows, type LaunchFilter, withOfferings } from './launch-filter.ts';

/** Nobody pays more for a spot instance than for one that stays. */
export const spotOffering: LaunchFilter = {
  name: 'spot-offering-filter',
  keep: (types, required) => {
    const { spot, onDemand } = capacityTypes;
    if (required.hasMinValues || !allows(required, spot) || !allows(required, onDemand)) return types;
    const limit = Math.min(
      ...types.flatMap((type) => offeringsSoldAs(type, onDemand, required).map(({ price }) => price)),
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
      .filter((type) => openOfferings(type, required).length > 0);
  },
};

import { capacityTypes } from '@karpenter/core/api';
import { offeringsSoldAs, openOfferings } from '../../launchable/index.ts';
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
    return types
      .map((type) =>
        withOfferings(
          type,
          type.offerings.filter(({ capacityType, price }) => capacityType !== spot || price <= limit),
        ),
      )
      .filter((type) => openOfferings(type, wish).length > 0);
  },
};

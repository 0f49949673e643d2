import type { PlanOptions, ReservedCapacity } from '@karpenter/core/scheduling';
import type { ControllerContext } from '../context/index.ts';

/** What settings and cloud say of plans; how reservations are used depends on who plans. */
export function planOptions(
  { settings, vocabulary }: Pick<ControllerContext, 'settings' | 'vocabulary'>,
  mode: ReservedCapacity['mode'],
): PlanOptions {
  const { preferencePolicy, minValuesPolicy, featureGates } = settings;
  const { wellKnownLabels, labelAliases, reservationIdLabel } = vocabulary;
  return {
    preferencePolicy,
    minValuesPolicy,
    wellKnownLabels,
    labelAliases,
    ...(featureGates.ReservedCapacity && { reservedCapacity: { idLabel: reservationIdLabel, mode } }),
  };
}

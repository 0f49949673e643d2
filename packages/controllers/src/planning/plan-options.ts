import { provisioningTuning } from '@karpenter/core/api';
import type { DeviceMeans, PlanOptions, ReservedCapacity } from '@karpenter/core/scheduling';
import { readDeviceSelector } from '@karpenter/kube/cel';
import type { ControllerContext } from '../context/index.ts';

type PlanOptionsContext = Pick<ControllerContext, 'settings' | 'vocabulary'> & {
  readonly clock: Pick<ControllerContext['clock'], 'now'>;
};

/** What settings and cloud say of plans; how reservations are used depends on who plans. */
export function planOptions(
  { settings, vocabulary, clock }: PlanOptionsContext,
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
    ...(!settings.ignoreDraRequests && { devices: deviceMeans(clock) }),
  };
}

function deviceMeans(clock: PlanOptionsContext['clock']): DeviceMeans {
  return {
    readSelector: readDeviceSelector,
    patience: () => {
      const end = clock.now() + provisioningTuning.deviceAllocationDeadlinePerPod;
      return () => clock.now() > end;
    },
  };
}

import { provisioningTuning } from '@karpenter/core/api';
import type { DeviceAllocationPort, PlanOptions, ReservedCapacity } from '@karpenter/core/scheduling';
import { readDeviceSelector } from '@karpenter/kube/cel';
import type { ControllerContext } from '../context/index.ts';

export type PlanOptionsContext = Pick<ControllerContext, 'settings' | 'vocabulary'> & {
  readonly clock: Pick<ControllerContext['clock'], 'now'>;
};

/**
 * The options of a plan from the settings and the cloud provider. `mode` says how reservations are used:
 * provisioning plans `strict`, disruption with `fallback` to other capacity types, as in Karpenter.
 */
export function planOptions(
  { settings, vocabulary, clock }: PlanOptionsContext,
  mode: ReservedCapacity['mode'],
): PlanOptions {
  const { preferencePolicy, minValuesPolicy, nodeOverheadPrice, featureGates } = settings;
  const { wellKnownLabels, labelAliases, reservationIdLabel } = vocabulary;
  return {
    preferencePolicy,
    minValuesPolicy,
    nodeOverheadPrice,
    wellKnownLabels,
    labelAliases,
    ...(featureGates.ReservedCapacity && { reservedCapacity: { idLabel: reservationIdLabel, mode } }),
    ...(!settings.ignoreDraRequests && { devices: deviceAllocationPort(clock) }),
  };
}

/**
 * How a plan evaluates CEL selectors of devices, and how long it may search for an allocation: five seconds per
 * pod, as in Karpenter.
 */
function deviceAllocationPort(clock: PlanOptionsContext['clock']): DeviceAllocationPort {
  return {
    readSelector: readDeviceSelector,
    startDeadline: () => {
      const end = clock.now() + provisioningTuning.deviceAllocationDeadlinePerPod;
      return () => clock.now() > end;
    },
  };
}

import type { Runnable } from '@karpenter/kube/runtime';
import { capacityBuffer } from './capacitybuffer/index.ts';
import type { ControllerContext } from './context/index.ts';
import { disabledFeatures } from './disabled-features/index.ts';
import { nodeStateGauges } from './metrics-node/index.ts';
import { nodePoolGauges, poolCostGauges } from './metrics-nodepool/index.ts';
import { podStateGauges } from './metrics-pod/index.ts';
import { nodeOverlay } from './nodeoverlay/index.ts';
import {
  nodePoolCounter,
  nodePoolHashing,
  nodePoolReadiness,
  nodePoolRegistrationHealth,
  nodePoolValidation,
} from './nodepool/index.ts';
import {
  capacityTrigger,
  nodeTrigger,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
} from './provisioner/index.ts';
import type { RegistrationHealth } from './registration-health/index.ts';
import { staticDeprovisioning, staticProvisioning } from './static/index.ts';
import { statusConditionControllers } from './status-conditions/index.ts';

/** The controllers that create nodes for pods and maintain NodePools, NodeOverlays and CapacityBuffers. */
export function provisioningControllers(
  context: ControllerContext,
  health: RegistrationHealth,
): readonly Runnable[] {
  const { batchIdleDuration: idle, batchMaxDuration: max, featureGates: gates } = context.settings;
  // One batch for all triggers: pods, disrupted nodes and buffers are planned for together.
  const batcher = new ProvisioningBatcher(context.clock, { idle, max });
  return [
    podTrigger(context, batcher),
    nodeTrigger(context, batcher),
    capacityTrigger(context, batcher),
    provisioner(context, batcher),
    nodePoolHashing(context),
    nodePoolReadiness(context),
    nodePoolRegistrationHealth(context, health),
    nodePoolCounter(context),
    nodePoolValidation(context),
    ...(gates.NodeOverlay ? [nodeOverlay(context)] : []),
    ...(gates.CapacityBuffer ? [capacityBuffer(context, batcher)] : []),
    ...(gates.StaticCapacity ? [staticProvisioning(context), staticDeprovisioning(context)] : []),
    ...disabledFeatures(context),
  ];
}

/**
 * The controllers that only observe: gauges of pods, nodes and NodePools, and condition metrics and events. A
 * setting turns them off for large clusters, where they publish hundreds of thousands of series.
 */
export function observationControllers(context: ControllerContext): readonly Runnable[] {
  if (context.settings.disableClusterStateObservability) return [];
  return [
    podStateGauges(context),
    nodeStateGauges(context),
    nodePoolGauges(context),
    poolCostGauges(context),
    ...statusConditionControllers(context),
  ];
}

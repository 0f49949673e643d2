import type { Runnable } from '@karpenter/kube/runtime';
import { capacityBuffer } from './capacitybuffer/index.ts';
import type { ControllerContext } from './context/index.ts';
import { disruption } from './disruption/index.ts';
import { EvictionQueue, evictionQueue } from './eviction-queue/index.ts';
import { nodeHealth } from './node-health/index.ts';
import { nodeHydration } from './node-hydration/index.ts';
import { nodeTermination } from './node-termination/index.ts';
import { nodeClaimConsistency } from './nodeclaim-consistency/index.ts';
import { nodeClaimDisruption } from './nodeclaim-disruption/index.ts';
import { nodeClaimExpiration } from './nodeclaim-expiration/index.ts';
import { nodeClaimGarbageCollection } from './nodeclaim-garbagecollection/index.ts';
import { nodeClaimHydration } from './nodeclaim-hydration/index.ts';
import { nodeClaimLifecycle } from './nodeclaim-lifecycle/index.ts';
import { nodeClaimPodEvents } from './nodeclaim-podevents/index.ts';
import { nodeOverlay } from './nodeoverlay/index.ts';
import {
  nodePoolCounter,
  nodePoolHashing,
  nodePoolReadiness,
  nodePoolRegistrationHealth,
  nodePoolValidation,
} from './nodepool/index.ts';
import { Batcher, nodeTrigger, podTrigger, provisioner } from './provisioner/index.ts';
import { RegistrationHealth } from './registration-health/index.ts';
import { stateNodeClaimCollection } from './state-nodeclaimgc/index.ts';
import { staticDeprovisioning, staticProvisioning } from './static/index.ts';

/** Every controller that all clouds share: the index of this package. */
export function controllers(context: ControllerContext): readonly Runnable[] {
  const registrationHealth = new RegistrationHealth(context);
  return [
    ...provisioning(context),
    ...nodePoolControllers(context, registrationHealth),
    ...nodeClaimControllers(context, registrationHealth),
    ...nodeControllers(context),
    ...disruption(context),
    ...gated(context),
  ];
}

function provisioning(context: ControllerContext): readonly Runnable[] {
  const { clock, settings } = context;
  const batcher = new Batcher(clock, { idle: settings.batchIdleDuration, max: settings.batchMaxDuration });
  return [
    provisioner(context, batcher),
    podTrigger(context, batcher),
    nodeTrigger(context, batcher),
    ...(settings.featureGates.CapacityBuffer ? [capacityBuffer(context, batcher)] : []),
  ];
}

function nodePoolControllers(context: ControllerContext, health: RegistrationHealth): readonly Runnable[] {
  return [
    nodePoolHashing(context),
    nodePoolReadiness(context),
    nodePoolValidation(context),
    nodePoolCounter(context),
    nodePoolRegistrationHealth(context, health),
  ];
}

function nodeClaimControllers(
  context: ControllerContext,
  registrationHealth: RegistrationHealth,
): readonly Runnable[] {
  return [
    nodeClaimLifecycle({ ...context, registrationHealth }),
    nodeClaimConsistency(context),
    nodeClaimDisruption(context),
    nodeClaimExpiration(context),
    nodeClaimGarbageCollection(context),
    nodeClaimHydration(context),
    nodeClaimPodEvents(context),
    stateNodeClaimCollection(context),
  ];
}

function nodeControllers(context: ControllerContext): readonly Runnable[] {
  const evictions = new EvictionQueue();
  return [
    nodeTermination({ ...context, evictions }),
    evictionQueue({ ...context, evictions }),
    nodeHydration(context),
  ];
}

function gated(context: ControllerContext): readonly Runnable[] {
  const { featureGates } = context.settings;
  return [
    ...(featureGates.NodeRepair ? [nodeHealth(context)] : []),
    ...(featureGates.NodeOverlay ? [nodeOverlay(context)] : []),
    ...(featureGates.StaticCapacity ? [staticProvisioning(context), staticDeprovisioning(context)] : []),
  ];
}

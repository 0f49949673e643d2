export { capacityBuffer } from './capacitybuffer/index.ts';
export {
  Cluster,
  type ClusterListener,
  type ClusterOptions,
  capacityBuffers,
  nodeClaims,
  nodeOverlays,
  nodePools,
  stateSources,
} from './cluster/index.ts';
export type { ControllerContext, LabelVocabulary, Planning, PlanTrigger } from './context/index.ts';
export { type EvictionContext, EvictionQueue, evictionQueue } from './eviction-queue/index.ts';
export { lifecycleControllers } from './lifecycle-controllers.ts';
export { nodeStateGauges } from './metrics-node/index.ts';
export { nodePoolGauges, poolCostGauges } from './metrics-nodepool/index.ts';
export { podStateGauges } from './metrics-pod/index.ts';
export { type HealthContext, nodeHealth } from './node-health/index.ts';
export { type NodeHydrationContext, nodeHydration } from './node-hydration/index.ts';
export { nodeTermination, type TerminationContext } from './node-termination/index.ts';
export { type ConsistencyContext, nodeClaimConsistency } from './nodeclaim-consistency/index.ts';
export {
  type Creation,
  type CreationContext,
  type CreationOptions,
  createNodeClaims,
} from './nodeclaim-creation/index.ts';
export { type ExpirationContext, nodeClaimExpiration } from './nodeclaim-expiration/index.ts';
export {
  type GarbageCollectionContext,
  nodeClaimGarbageCollection,
} from './nodeclaim-garbagecollection/index.ts';
export { type ClaimHydrationContext, nodeClaimHydration } from './nodeclaim-hydration/index.ts';
export { type LifecycleContext, nodeClaimLifecycle } from './nodeclaim-lifecycle/index.ts';
export { nodeClaimPodEvents, type PodEventsContext } from './nodeclaim-podevents/index.ts';
export { nodeOverlay } from './nodeoverlay/index.ts';
export {
  nodePoolCounter,
  nodePoolHashing,
  nodePoolReadiness,
  nodePoolRegistrationHealth,
  nodePoolValidation,
} from './nodepool/index.ts';
export { ClusterPlanning, type PlanningContext, planOptions, slicedPlan } from './planning/index.ts';
export {
  Batcher,
  nodeTrigger,
  nominationWindow,
  type ProvisionerContext,
  podTrigger,
  provisioner,
} from './provisioner/index.ts';
export { observationControllers, provisioningControllers } from './provisioning-controllers.ts';
export { type RegistrationFailure, RegistrationHealth } from './registration-health/index.ts';
export { type StateCollectionContext, stateNodeClaimCollection } from './state-nodeclaimgc/index.ts';
export { staticDeprovisioning, staticProvisioning } from './static/index.ts';
export { statusConditionControllers } from './status-conditions/index.ts';
export { type SurgeDrainContext, surgeDrain } from './surge-drain/index.ts';

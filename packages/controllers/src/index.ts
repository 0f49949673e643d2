/**
 * The controllers of Karpenter that work with any cloud provider: a folder for each controller or group of them, and
 * folders that they share, such as `cluster`, `planning` and `operator`.
 *
 * Start with `controllers.ts`, which lists all of them, and `context` for what they depend on. A controller
 * reads informers and the cluster state, calls a pure function of `@karpenter/core`, and applies what it
 * returns. Controllers do not call each other: they share the API server, the cluster state and a few
 * in-memory queues.
 */
export { capacityBuffer } from './capacitybuffer/index.ts';
export { MeteredCloud } from './cloud-metrics/index.ts';
export {
  Cluster,
  capacityBuffers,
  nodeClaims,
  nodeOverlays,
  nodePools,
} from './cluster/index.ts';
export type {
  ControllerContext,
  LabelVocabulary,
} from './context/index.ts';
export { controllers } from './controllers.ts';
export { EventDecisions, gzippedDecision, MemoryClusters } from './decisions/index.ts';
export { disabledFeatures } from './disabled-features/index.ts';
export { disruption, replayedCommands } from './disruption/index.ts';
export {
  CommandQueue,
  disruptionQueue,
  startCommand,
} from './disruption-queue/index.ts';
export {
  EvictionQueue,
  evictionQueue,
} from './eviction-queue/index.ts';
export { lifecycleControllers } from './lifecycle-controllers.ts';
export { nodeStateGauges } from './metrics-node/index.ts';
export { nodePoolGauges, poolCostGauges } from './metrics-nodepool/index.ts';
export { podStateGauges } from './metrics-pod/index.ts';
export { nodeHydration } from './node-hydration/index.ts';
export { nodeTermination } from './node-termination/index.ts';
export { nodeClaimConsistency } from './nodeclaim-consistency/index.ts';
export { createNodeClaims } from './nodeclaim-creation/index.ts';
export { nodeClaimDisruption } from './nodeclaim-disruption/index.ts';
export { nodeClaimExpiration } from './nodeclaim-expiration/index.ts';
export { nodeClaimGarbageCollection } from './nodeclaim-garbagecollection/index.ts';
export { nodeClaimHydration } from './nodeclaim-hydration/index.ts';
export { nodeClaimLifecycle } from './nodeclaim-lifecycle/index.ts';
export { nodeClaimPodEvents } from './nodeclaim-podevents/index.ts';
export { nodeOverlay } from './nodeoverlay/index.ts';
export {
  nodePoolCounter,
  nodePoolHashing,
  nodePoolReadiness,
  nodePoolRegistrationHealth,
  nodePoolValidation,
} from './nodepool/index.ts';
export {
  currentController,
  type Endpoints,
  errorFields,
  JsonLog,
  type JsonLogOptions,
  type LogLevel,
  MetricRegistry,
  runAll,
  startEndpoints,
} from './operator/index.ts';
export {
  ClusterPlanning,
  planOptions,
} from './planning/index.ts';
export {
  capacityTrigger,
  nodeTrigger,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
} from './provisioner/index.ts';
export { observationControllers, provisioningControllers } from './provisioning-controllers.ts';
export { RegistrationHealth } from './registration-health/index.ts';
export { stateNodeClaimCollection } from './state-nodeclaimgc/index.ts';
export {
  staticDeprovisioning,
  staticProvisioning,
} from './static/index.ts';
export { statusConditionControllers } from './status-conditions/index.ts';
export { surgeDrain } from './surge-drain/index.ts';

/**
 * The controllers of Karpenter that work with any cloud provider: one folder per controller, named after it.
 *
 * Start with `controllers.ts`, which lists all of them, and `context` for what they depend on. A controller
 * reads watch caches and the cluster state, calls a pure function of `@karpenter/core`, and applies what it
 * returns. Controllers do not call each other: they share the API server, the cluster state and a few
 * in-memory queues.
 */
export { type BufferContext, capacityBuffer, writeBufferOutcomes } from './capacitybuffer/index.ts';
export { MeteredCloud, type MeteredCloudOptions } from './cloud-metrics/index.ts';
export {
  Cluster,
  type ClusterListener,
  type ClusterOptions,
  capacityBuffers,
  nodeClaims,
  nodeOverlays,
  nodePools,
  shapedAs,
  stateSources,
  writeObject,
  writeStatus,
} from './cluster/index.ts';
export type {
  ControllerContext,
  LabelVocabulary,
  Planning,
  PlanTrigger,
  RefreshedCluster,
} from './context/index.ts';
export { controllers } from './controllers.ts';
export { type DisruptionContext, disruption } from './disruption/index.ts';
export { disruptionControllers } from './disruption-controllers.ts';
export {
  CommandQueue,
  disruptionQueue,
  hasDisruptionReason,
  isDisruptedTaint,
  type MarkedNode,
  type QueueContext,
  type ReplacementClaim,
  type RunningCommand,
  type StartContext,
  type StartOptions,
  startCommand,
  unmarkDisrupted,
} from './disruption-queue/index.ts';
export {
  type Eviction,
  type EvictionContext,
  EvictionQueue,
  type Evictions,
  evictionQueue,
  failedDrainingEvent,
} from './eviction-queue/index.ts';
export { type GaugeReading, GaugeSet } from './gauges/index.ts';
export {
  type CachedNode,
  type CachedPod,
  deleteIfUidMatches,
  disruptClaim,
  PodsOnNodes,
  ProviderIdIndex,
  terminateInstance,
} from './instances/index.ts';
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
  createReplica,
  nameSuffix,
  recordedCreate,
} from './nodeclaim-creation/index.ts';
export { type ClaimDisruptionContext, nodeClaimDisruption } from './nodeclaim-disruption/index.ts';
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
  NodeClasses,
  nodePoolCounter,
  nodePoolHashing,
  nodePoolReadiness,
  nodePoolRegistrationHealth,
  nodePoolValidation,
  poolController,
} from './nodepool/index.ts';
export {
  currentController,
  currentScope,
  type EndpointOptions,
  type Endpoints,
  errorFields,
  inScope,
  JsonLog,
  type JsonLogOptions,
  type LogLevel,
  logLevels,
  type ManagerOptions,
  MetricRegistry,
  measureProcess,
  type ReconcileScope,
  runAll,
  startEndpoints,
} from './operator/index.ts';
export {
  bufferReferences,
  type CaptureOptions,
  ClusterPlanning,
  isActiveBuffer,
  type PlanningContext,
  planningKinds,
  planOptions,
  resolvedBuffers,
  type TypesFound,
} from './planning/index.ts';
export {
  nodeTrigger,
  nominationEvent,
  nominationWindow,
  type ProvisionerContext,
  ProvisioningBatcher,
  podTrigger,
  provisioner,
} from './provisioner/index.ts';
export { observationControllers, provisioningControllers } from './provisioning-controllers.ts';
export { type RegistrationFailure, RegistrationHealth } from './registration-health/index.ts';
export { type StateCollectionContext, stateNodeClaimCollection } from './state-nodeclaimgc/index.ts';
export {
  type DeprovisioningContext,
  type StaticContext,
  staticDeprovisioning,
  staticProvisioning,
} from './static/index.ts';
export {
  type ConditionContext,
  statusConditionControllers,
  statusConditions,
} from './status-conditions/index.ts';
export { type SurgeDrainContext, SurgePods, type SurgePodsContext, surgeDrain } from './surge-drain/index.ts';

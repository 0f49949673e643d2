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
export { nodeStateGauges } from './metrics-node/index.ts';
export { nodePoolGauges, poolCostGauges } from './metrics-nodepool/index.ts';
export { podStateGauges } from './metrics-pod/index.ts';
export {
  type Creation,
  type CreationContext,
  type CreationOptions,
  createNodeClaims,
} from './nodeclaim-creation/index.ts';
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
export { staticDeprovisioning, staticProvisioning } from './static/index.ts';
export { statusConditionControllers } from './status-conditions/index.ts';

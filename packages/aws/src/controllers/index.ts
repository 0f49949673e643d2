/**
 * The controllers of the AWS provider, one folder per controller with
 * Karpenter's names. They read caches, call the providers and write through
 * the Kubernetes client. Start with aws-controllers.ts, which builds them all.
 */

export { awsControllers, awsRefreshControllers } from './aws-controllers.ts';
export { CapacityTypeController } from './capacityreservation-capacitytype/capacity-type-controller.ts';
export { ClaimsByClass } from './class-objects.ts';
export type { AwsControllerOptions, ControllerSettings, WatchedCluster } from './controller-options.ts';
export { InstanceCollector } from './instance-garbagecollection/instance-collector.ts';
export { ProfileCollector } from './instanceprofile-garbagecollection/profile-collector.ts';
export { TaggingController } from './nodeclaim-tagging/tagging-controller.ts';
export { NodeClassController } from './nodeclass/node-class-controller.ts';
export { HashController } from './nodeclass-hash/hash-controller.ts';
export { MemoryController, type SizedNode } from './providers/memory-controller.ts';
export { ParameterInvalidation } from './providers/parameter-invalidation.ts';
export { RefreshController } from './providers/refresh-controller.ts';
export { ZonalShiftController } from './zonalshift/zonal-shift-controller.ts';

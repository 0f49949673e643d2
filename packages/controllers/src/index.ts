/**
 * The controllers of Karpenter that work with any cloud provider: one folder per controller, named after it.
 *
 * Start with `controllers.ts`, which lists all of them, and `context` for what they depend on. A controller
 * reads watch caches and the cluster state, calls a pure function of `@karpenter/core`, and applies what it
 * returns. Controllers do not call each other: they share the API server, the cluster state and a few
 * in-memory queues.
 */
export * from './capacitybuffer/index.ts';
export * from './cloud-metrics/index.ts';
export * from './cluster/index.ts';
export * from './context/index.ts';
export { controllers } from './controllers.ts';
export * from './disruption/index.ts';
export { disruptionControllers } from './disruption-controllers.ts';
export * from './disruption-queue/index.ts';
export * from './eviction-queue/index.ts';
export * from './gauges/index.ts';
export * from './instances/index.ts';
export { lifecycleControllers } from './lifecycle-controllers.ts';
export * from './metrics-node/index.ts';
export * from './metrics-nodepool/index.ts';
export * from './metrics-pod/index.ts';
export * from './node-health/index.ts';
export * from './node-hydration/index.ts';
export * from './node-termination/index.ts';
export * from './nodeclaim-consistency/index.ts';
export * from './nodeclaim-creation/index.ts';
export * from './nodeclaim-disruption/index.ts';
export * from './nodeclaim-expiration/index.ts';
export * from './nodeclaim-garbagecollection/index.ts';
export * from './nodeclaim-hydration/index.ts';
export * from './nodeclaim-lifecycle/index.ts';
export * from './nodeclaim-podevents/index.ts';
export * from './nodeoverlay/index.ts';
export * from './nodepool/index.ts';
export * from './operator/index.ts';
export * from './planning/index.ts';
export * from './provisioner/index.ts';
export { observationControllers, provisioningControllers } from './provisioning-controllers.ts';
export * from './registration-health/index.ts';
export * from './state-nodeclaimgc/index.ts';
export * from './static/index.ts';
export * from './status-conditions/index.ts';
export * from './surge-drain/index.ts';

/**
 * The controllers `static.provisioning` and `static.deprovisioning` (feature gate StaticCapacity): keep as
 * many NodeClaims as `spec.replicas` of a static NodePool says. They create and delete NodeClaims. Drift of
 * static nodes is a method of `../disruption`. Start with `static-provisioning.ts`.
 */
export { staticDeprovisioning } from './static-deprovisioning.ts';
export { staticProvisioning } from './static-provisioning.ts';

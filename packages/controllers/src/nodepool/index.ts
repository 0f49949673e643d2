/**
 * The controllers of NodePools: `nodepool.hash`, `.readiness`, `.registrationhealth`, `.counter` and
 * `.validation`. They write annotations and status of NodePools; `hash.ts` also annotates their NodeClaims.
 * Start with `managed-pools.ts`, the shape that they share: reconcile each NodePool whose NodeClass this
 * cloud provider knows.
 */
export { nodePoolCounter } from './counter.ts';
export { nodePoolHashing } from './hash.ts';
export { poolController } from './managed-pools.ts';
export { nodePoolReadiness } from './readiness.ts';
export { nodePoolRegistrationHealth } from './registration-health-reset.ts';
export { nodePoolValidation } from './validation.ts';

export { type LifecycleContext, nodeClaimLifecycle } from './nodeclaim-lifecycle.ts';
export type { RegistrationHealth } from './registration-health.ts';

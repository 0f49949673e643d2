export { type LifecycleContext, nodeClaimLifecycle } from './nodeclaim-lifecycle.ts';

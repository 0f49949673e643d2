/**
 * The controller `nodeclaim.lifecycle`: launch, registration, initialization and liveness of NodeClaims, and
 * their finalization. One file per step, as in Karpenter's folder of the same name.
 *
 * Start with `lifecycle-controller.ts` (how steps run and are stored), then the steps in order. It writes
 * NodeClaims and Nodes, and calls the cloud provider to launch and terminate instances; `launch-attempts.ts`
 * keeps an instance from being launched twice.
 */
export { nodeClaimLifecycle } from './nodeclaim-lifecycle.ts';

/**
 * The controller `nodeclaim.hydration`: adds labels to NodeClaims that older releases created without them.
 */
export { type ClaimHydrationContext, nodeClaimHydration } from './nodeclaim-hydration.ts';

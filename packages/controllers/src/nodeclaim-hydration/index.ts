/**
 * The controller `nodeclaim.hydration`: adds labels to NodeClaims that older releases created without them.
 * It writes labels of NodeClaims and nothing else. Start with `nodeclaim-hydration.ts`.
 */
export { nodeClaimHydration } from './nodeclaim-hydration.ts';

export { type ClaimHydrationContext, nodeClaimHydration } from './nodeclaim-hydration.ts';

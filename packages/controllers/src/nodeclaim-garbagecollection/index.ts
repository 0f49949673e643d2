/**
 * The controller `nodeclaim.garbagecollection`: deletes NodeClaims whose instance no longer exists. It lists
 * the instances of the cloud provider; instances without a NodeClaim are collected by the cloud provider.
 * Start with `nodeclaim-garbagecollection.ts`.
 */
export { nodeClaimGarbageCollection } from './nodeclaim-garbagecollection.ts';

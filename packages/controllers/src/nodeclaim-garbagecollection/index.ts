/** The controller `nodeclaim.garbagecollection`: deletes NodeClaims whose instance no longer exists. */
export { type GarbageCollectionContext, nodeClaimGarbageCollection } from './nodeclaim-garbagecollection.ts';

export { type GarbageCollectionContext, nodeClaimGarbageCollection } from './nodeclaim-garbagecollection.ts';

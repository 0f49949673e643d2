export { type StateCollectionContext, stateNodeClaimCollection } from './state-nodeclaimgc.ts';

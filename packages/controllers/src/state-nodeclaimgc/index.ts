/**
 * The controller `state.nodeclaimgc`: removes launches from the cluster state whose NodeClaim no longer
 * exists.
 */
export { type StateCollectionContext, stateNodeClaimCollection } from './state-nodeclaimgc.ts';

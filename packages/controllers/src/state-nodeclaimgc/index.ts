/**
 * The controller `state.nodeclaimgc`: removes launches from the cluster state whose NodeClaim no longer
 * exists. It changes the cluster state in memory and writes nothing to the API server. Start with
 * `state-nodeclaimgc.ts`.
 */
export { stateNodeClaimCollection } from './state-nodeclaimgc.ts';

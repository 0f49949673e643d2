/** The controller `nodeclaim.consistency`: compares Nodes with the capacity that their NodeClaims promise. */
export { type ConsistencyContext, nodeClaimConsistency } from './nodeclaim-consistency.ts';

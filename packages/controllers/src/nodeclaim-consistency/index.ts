export { type ConsistencyContext, nodeClaimConsistency } from './nodeclaim-consistency.ts';

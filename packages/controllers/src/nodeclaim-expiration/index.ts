/**
 * The controller `nodeclaim.expiration`: deletes NodeClaims that are older than `expireAfter`, regardless of
 * disruption budgets. The drain belongs to `../node-termination`.
 */
export { nodeClaimExpiration } from './nodeclaim-expiration.ts';

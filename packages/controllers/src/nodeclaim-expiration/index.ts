/**
 * The controller `nodeclaim.expiration`: deletes NodeClaims that are older than `expireAfter`, regardless of
 * disruption budgets. The drain belongs to `../node-termination`.
 */
export { type ExpirationContext, nodeClaimExpiration } from './nodeclaim-expiration.ts';

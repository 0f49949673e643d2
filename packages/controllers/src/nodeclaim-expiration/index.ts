/** The controller `nodeclaim.expiration`: deletes NodeClaims that are older than `expireAfter`. */
export { type ExpirationContext, nodeClaimExpiration } from './nodeclaim-expiration.ts';

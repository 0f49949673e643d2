/**
 * The controller `nodeclaim.expiration`: deletes NodeClaims that are older than `expireAfter`, regardless of
 * disruption budgets, and writes nothing else. The drain belongs to `../node-termination`. Start with
 * `nodeclaim-expiration.ts`.
 */
export { nodeClaimExpiration } from './nodeclaim-expiration.ts';

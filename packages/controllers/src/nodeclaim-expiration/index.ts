export { type ExpirationContext, nodeClaimExpiration } from './nodeclaim-expiration.ts';

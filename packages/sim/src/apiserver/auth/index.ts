export { type Access, refusalText } from './access.ts';
export { Authenticator, authenticated } from './authenticator.ts';
export { RightsEscalation } from './escalation.ts';
export { impersonatedUser } from './impersonation.ts';
export { rawHeadersOf } from './raw-headers.ts';
export { RbacAuthorizer } from './rbac.ts';
export { type ReviewServices, reviews, userInfo } from './reviews.ts';
export { serverAudience, TokenSigner } from './token-signer.ts';
export { anonymous, apiServerUser, type User } from './user.ts';

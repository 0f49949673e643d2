/**
 * Authentication, RBAC authorization and impersonation of requests, and the review kinds that answer
 * questions about them. Reads roles, bindings and service accounts from the store and writes nothing. Start
 * with authenticator.ts and rbac.ts.
 */
export type { Access } from './access.ts';
export { Authenticator, authenticated } from './authenticator.ts';
export { RightsEscalation } from './escalation.ts';
export { checkAccess } from './forbidden-access.ts';
export { impersonatedUser } from './impersonation.ts';
export { rawHeadersOf } from './raw-headers.ts';
export { RbacAuthorizer } from './rbac.ts';
export { type ReviewServices, reviews, userInfo } from './reviews.ts';
export { serverAudience, TokenSigner } from './token-signer.ts';
export { apiServerUser, type User } from './user.ts';
export { userFacingRoles } from './user-facing-roles.ts';

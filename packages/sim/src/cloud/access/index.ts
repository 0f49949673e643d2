// What IAM checks before a call is served: which actions a call needs on which resources with which tags, and whether
// the policies of the caller allow them. Reads the account, changes nothing. Start reading at access-request.ts, then
// launch-access.ts; identity-policies.ts decides.
export { type AccessRequest, resourceTags } from './access-request.ts';
export { type IdentityPolicy, isAllowed } from './identity-policies.ts';
export { fleetAccess, runAccess } from './launch-access.ts';
export { profileAccess } from './profile-access.ts';
export {
  taggingAccess,
  templateCreationAccess,
  templateDeletionAccess,
  terminationAccess,
} from './resource-access.ts';

/**
 * Creates, lists and deletes the IAM instance profiles of EC2NodeClasses that set a role. Calls IAM only.
 * Start with instance-profile-provider.ts; names and garbage selection are pure.
 */

export { InstanceProfileProvider } from './instance-profile-provider.ts';
export { garbageProfiles } from './profile-garbage.ts';

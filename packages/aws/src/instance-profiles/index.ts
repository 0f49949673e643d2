export { InstanceProfileProvider, type ProfileProviderOptions } from './instance-profile-provider.ts';
export { garbageProfiles, type ProfileUse } from './profile-garbage.ts';
export { legacyProfileName, profileName, profilePath, profileTags, roleName } from './profile-names.ts';

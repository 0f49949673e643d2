export { supportedMinors, type VersionOptions, VersionProvider } from './version-provider.ts';

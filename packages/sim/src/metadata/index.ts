/**
 * The instance metadata service (IMDS) of simulated instances over real HTTP: version 2 with session tokens,
 * the notices of an instance, and faults for tests. Listens on a port and reads the simulated account. Start
 * with `metadata-service.ts`; `cloud-metadata.ts` connects it to the account.
 */

export { cloudMetadata } from './cloud-metadata.ts';
export type { InstanceMetadata } from './instance-metadata.ts';
export { type MetadataService, startMetadataService } from './metadata-service.ts';

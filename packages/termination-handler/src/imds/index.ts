/**
 * The client of the EC2 instance metadata service: session tokens, retries on the injected clock, and the
 * identity of the instance. Talks to that service only. Start with `metadata-client.ts`.
 */

export { type InstanceIdentity, readInstanceIdentity } from './instance-identity.ts';
export { MetadataClient, type MetadataReader } from './metadata-client.ts';

/**
 * What the lifecycle controllers share about one instance and its objects: the index from NodeClaims to Nodes
 * and back (`provider-id-index.ts`), pods by node, deletion of NodeClaims with preconditions, and termination
 * of the instance, which calls the cloud provider and writes a condition of the NodeClaim. Start with
 * `provider-id-index.ts`, then `instance-termination.ts`.
 */
export { deleteIfUidMatches, disruptClaim } from './claim-deletion.ts';
export { terminateInstance } from './instance-termination.ts';
export { type CachedPod, type PodsOnNodes, watchPodsOnNodes } from './pods-on-nodes.ts';
export { type CachedNode, type ProviderIdIndex, watchProviderIds } from './provider-id-index.ts';

/**
 * Creates NodeClaims for provisioning, disruption and static NodePools. `recorded-create.ts` records each
 * launch in the cluster state before the API request, so that no plan in between launches a second node for
 * the same pods.
 */
export {
  type Creation,
  type CreationContext,
  type CreationOptions,
  createNodeClaims,
} from './create-node-claims.ts';
export { createReplica } from './create-replica.ts';
export { nameSuffix } from './name-suffix.ts';
export { recordedCreate } from './recorded-create.ts';

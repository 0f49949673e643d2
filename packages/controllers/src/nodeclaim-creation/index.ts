/**
 * Creates NodeClaims for provisioning, disruption and static NodePools, and writes nothing else to the API
 * server. Start with `create-node-claims.ts`; `recorded-create.ts` records each launch in the cluster state
 * before the API request, so that no plan in between launches a second node for the same pods.
 */
export {
  type Creation,
  type CreationContext,
  createNodeClaims,
} from './create-node-claims.ts';
export { createReplica } from './create-replica.ts';

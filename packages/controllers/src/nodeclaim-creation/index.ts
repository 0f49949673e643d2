export {
  type Creation,
  type CreationContext,
  type CreationOptions,
  createNodeClaims,
} from './create-node-claims.ts';
export { createReplica } from './create-replica.ts';
export { nameSuffix } from './name-suffix.ts';
export { recordedCreate } from './recorded-create.ts';

export {
  boundPod,
  instanceType,
  type NodeParts,
  node,
  type PodParts,
  type PoolParts,
  planOptions,
  pod,
  pods,
  pool,
  snapshot,
  type TypeParts,
} from './snapshot-builder.ts';

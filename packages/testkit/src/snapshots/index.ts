/** Builders of planner snapshots: pods, nodes, pools and instance types as `core/scheduling` sees them. */
export {
  boundPod,
  instanceType,
  type NodeViewParts,
  node,
  type PodParts,
  type PoolParts,
  planOptions,
  pod,
  pods,
  pool,
  type ReservationParts,
  snapshot,
  type TypeParts,
} from './snapshot-builder.ts';

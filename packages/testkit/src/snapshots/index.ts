/** Builders of planner snapshots: pods, nodes, pools and instance types as `core/scheduling` sees them. */
export {
  boundPod,
  instanceType,
  node,
  type PodParts,
  type PoolParts,
  planOptions,
  pod,
  pods,
  pool,
  snapshot,
} from './snapshot-builder.ts';

/**
 * Builders of planner snapshots: pods, nodes, pools and instance types as `core/scheduling` sees them. Pure.
 * `cluster-objects` builds stored objects instead. Start with `snapshot-builder.ts`.
 */
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

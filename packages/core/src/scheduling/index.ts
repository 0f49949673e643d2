export type {
  FailedCheck,
  Placement,
  Plan,
  PlannedNode,
  PlanOptions,
  PoolRejection,
  Rejection,
} from './plan-result.ts';
export type { BoundPodView, NodeView, PodMetadata, PodView, Snapshot } from './snapshot.ts';

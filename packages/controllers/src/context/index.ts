/**
 * The interfaces that controllers are built from. `ControllerContext` lists every dependency; a controller
 * takes a `Pick` of it, so that its signature says what it may touch.
 */
export type {
  ControllerContext,
  LabelVocabulary,
  PlanInputOptions,
  Planning,
  PlanTrigger,
  RefreshedCluster,
  RefreshOptions,
} from './controller-context.ts';

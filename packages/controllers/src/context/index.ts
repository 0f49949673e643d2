/**
 * The interfaces that controllers are built from; types only. `ControllerContext` lists every dependency; a
 * controller takes a `Pick` of it, so that its signature lists what it depends on. Start with
 * `controller-context.ts`.
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

export type { ControllerContext, LabelVocabulary, Planning, PlanTrigger } from './controller-context.ts';

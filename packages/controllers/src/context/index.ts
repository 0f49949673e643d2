export type { ControllerContext, LabelVocabulary, Planning } from './controller-context.ts';

/**
 * Decisions of node termination as pure functions: tainting, the order of the drain, when to delete a pod
 * forcefully before the deadline of its NodeClaim, surge drains, and which volumes must detach before the
 * instance is terminated. Start with `drain.ts`, then `eviction.ts` and `forced-deletion.ts`.
 */

export { type Drain, type DrainInput, drain, isDrainable, isWaitedFor } from './drain.ts';
export { type EvictionStep, evictionStep, nextStepTime } from './eviction.ts';
export { type ForcedDeletion, forcedDeletion, forcedFrom } from './forced-deletion.ts';
export {
  formatSurgeMark,
  type SurgeInput,
  type SurgeMark,
  type SurgeStep,
  type SurgingWorkload,
  surgeMark,
  surgePatience,
  surgeStep,
} from './surge.ts';
export { missingTerminationMarks, type TerminationMarks } from './termination-marks.ts';
export { dueTerminationTime, terminationTime } from './termination-time.ts';
export { awaitedAttachments, type DetachmentInput } from './volume-detachment.ts';

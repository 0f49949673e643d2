/**
 * Decisions of node termination as pure functions: tainting, the order of the drain, when to delete a pod
 * forcefully before the deadline of its NodeClaim, surge drains, and which volumes must detach before the
 * instance is terminated. Start with `drain.ts`, then `eviction.ts` and `forced-deletion.ts`.
 */

export { drain } from './drain.ts';
export { evictionStep, nextStepTime } from './eviction.ts';
export {
  formatSurgeMark,
  surgeMark,
  surgeStep,
  surgeTimeout,
} from './surge.ts';
export { missingTerminationMarks } from './termination-marks.ts';
export { dueTerminationTime, terminationTime } from './termination-time.ts';
export { awaitedAttachments } from './volume-detachment.ts';

export { type Departure, departure } from './departing-node.ts';
export { type Drain, type DrainInput, drain, isDrainable, isWaitedFor } from './drain.ts';
export { type EvictionStep, evictionStep, nextTurn } from './eviction.ts';
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
export { dueTerminationTime, terminationTime } from './termination-time.ts';
export { awaitedAttachments, type DetachmentInput } from './volume-detachment.ts';

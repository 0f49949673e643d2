/**
 * Carries out disruption commands: taints nodes, creates replacements, waits until they are initialized, then
 * deletes the NodeClaims that they replace, or rolls back. It writes taints of Nodes, conditions of
 * NodeClaims and events.
 *
 * Start with `start-command.ts` (how a command enters the queue), then `disruption-queue.ts` (the
 * controller). `command-queue.ts` is the in-memory queue, `node-marks.ts` the taints and the condition.
 */
export { CommandQueue } from './command-queue.ts';
export { disruptionQueue } from './disruption-queue.ts';
export {
  hasDisruptionReason,
  isDisruptedTaint,
  isLeavingTaint,
  markLeaving,
  unmarkDisrupted,
} from './node-marks.ts';
export { type MethodOrigin, startCommand } from './start-command.ts';

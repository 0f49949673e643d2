export { type AwaitedNode, CommandQueue, type RunningCommand } from './command-queue.ts';
export { disruptionQueue, type QueueContext } from './disruption-queue.ts';
export { hasDisruptionReason, isDisruptedTaint, type MarkedNode, unmarkDisrupted } from './node-marks.ts';
export { type StartContext, type StartOptions, startCommand } from './start-command.ts';

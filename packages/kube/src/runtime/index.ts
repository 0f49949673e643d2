/**
 * What a controller needs to run: the Controller interface, its runner and work queue, sources, the event
 * recorder, leader election and the clock. The equivalent of controller-runtime's manager, controller and
 * workqueue packages. Reads and writes the API only through `client` and `cache`, and time only through
 * `Clock`. Start with controller.ts and controller-runner.ts.
 */

export type { Clock, Instant } from '../clock/index.ts';
export { systemClock, TokenBucket } from '../clock/index.ts';
export { type BackoffOptions, backoffDelay } from './backoff.ts';
export type { Controller, ReconcileResult } from './controller.ts';
export {
  type Reconciled,
  type RunOptions,
  reconcileBudget,
  runController,
  runSingleton,
  type Singleton,
} from './controller-runner.ts';
export {
  type ClusterEvent,
  CoreEventRecorder,
  type EventRecorder,
} from './event-recorder.ts';
export { defaultElectionTimes, type ElectionOptions, type ElectionTimes, lead } from './leader-election.ts';
export { isFenceRefusal, LeaseFence } from './lease-fence.ts';
export { RecentMap } from './recent-map.ts';
export { type Runnable, runnableName } from './runnable.ts';
export { atStart, changesOf, type Enqueue, readsFrom, type Source, waitsFor } from './source.ts';
export {
  defaultBackoff,
  type QueueObserver,
  type QueueView,
} from './work-queue.ts';
export type { WriteFence } from './write-fence.ts';

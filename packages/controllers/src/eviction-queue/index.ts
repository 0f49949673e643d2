/**
 * The controller `eviction-queue`: evicts the pods that node.termination adds, one key per pod, with a
 * backoff.
 *
 * Start with `eviction-controller.ts`. The queue lives in memory; after a restart node.termination adds the
 * pods again.
 */
export { type BlockingBudgets, watchBlockingBudgets } from './blocking-budgets.ts';
export { failedDrainingEvent } from './eviction-events.ts';
export { EvictionQueue, type Evictions } from './eviction-queue.ts';
export { evictionQueue } from './eviction-runnable.ts';

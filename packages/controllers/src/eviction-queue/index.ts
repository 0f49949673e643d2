/**
 * The controller `eviction-queue`: evicts the pods that node.termination adds, one key per pod, with a
 * backoff, and deletes them at the deadline of their node. It writes nothing but pods and events;
 * `../surge-drain` scales Deployments for it.
 *
 * Start with `eviction-controller.ts`. The queue lives in memory; after a restart node.termination adds the
 * pods again.
 */
export { type BlockingPdbs, watchBlockingPdbs } from './blocking-pdbs.ts';
export { failedDrainingEvent } from './eviction-events.ts';
export { EvictionQueue, type Evictions } from './eviction-queue.ts';
export { evictionQueue } from './eviction-runnable.ts';

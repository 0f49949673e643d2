export { failedDrainingEvent } from './eviction-events.ts';
export { type Eviction, EvictionQueue, type Evictions } from './eviction-queue.ts';
export { type EvictionContext, evictionQueue } from './eviction-runnable.ts';

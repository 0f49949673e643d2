/**
 * Small caching tools for the AWS providers: expiring maps, results by object, change detection, shared calls
 * and paging. No I/O of their own. Start with `expiring-map.ts` and `shared-calls.ts`.
 */

export { ChangeMonitor } from './change-monitor.ts';
export { ExpiringMap } from './expiring-map.ts';
export { ObjectCache } from './object-cache.ts';
export { allPages, pageAfter } from './paging.ts';
export { SharedCalls } from './shared-calls.ts';

/**
 * Informers: objects of one kind kept up to date by list and watch, with indexes and change notifications.
 * The equivalent of controller-runtime's cache package. Reads the API through `client`; nothing here writes.
 * Start with watch-cache.ts (the interface), then reflector.ts (list and watch) and reflected-cache.ts.
 * listed-caches.ts holds fixed lists instead, such as those of a saved cluster (saved-lists.ts).
 */

export { CacheSet, type OptionalKinds } from './cache-set.ts';
export { type KindList, ListedCaches } from './listed-caches.ts';
export type { ObjectCaches } from './object-caches.ts';
export { type CacheOptions, startWatchCache } from './reflected-cache.ts';
export { cachesOfLists, savedLists } from './saved-lists.ts';
export type { CacheChange, WatchCache } from './watch-cache.ts';

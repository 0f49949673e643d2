export { CacheSet, type CacheSetOptions } from './cache-set.ts';
export { type KindList, ListedCaches } from './listed-caches.ts';
export type { ObjectCaches } from './object-caches.ts';
export type { IndexFunction } from './object-store.ts';
export { type CacheOptions, startWatchCache } from './reflected-cache.ts';
export type { Selection } from './reflector.ts';
export type { CacheChange, WatchCache } from './watch-cache.ts';

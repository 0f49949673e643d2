/**
 * An API server that fails in every way observed of real ones, and the true history to compare a cache with.
 * It listens on loopback through `../http-server`. Start with `faulty-server.ts`.
 */
export { faults, startFaultyServer } from './faulty-server.ts';
export { ObjectHistory } from './object-history.ts';

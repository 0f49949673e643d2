/**
 * An API server that fails in every way observed of real ones, and the true history to compare a cache with.
 */
export { faults, startFaultyServer } from './faulty-server.ts';
export { ObjectHistory } from './object-history.ts';

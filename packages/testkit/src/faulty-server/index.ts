/**
 * An API server that fails in every way observed of real ones, and the true history to compare a cache with.
 */
export { type Fault, type FaultyServer, faults, startFaultyServer } from './faulty-server.ts';
export { type HistoryEvent, type HistoryState, ObjectHistory } from './object-history.ts';

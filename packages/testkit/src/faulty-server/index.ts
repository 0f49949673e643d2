export { type Fault, type FaultyServer, faults, startFaultyServer } from './faulty-server.ts';
export { type HistoryEvent, type HistoryState, ObjectHistory } from './object-history.ts';

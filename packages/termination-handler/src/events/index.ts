/**
 * Termination events of the node, and the store that follows each from its first sight until it has passed. Pure. Start
 * with event-store.ts.
 */

export { EventStore } from './event-store.ts';
export { eventKinds, type MonitorName, monitorNames, type TerminationEvent } from './termination-event.ts';

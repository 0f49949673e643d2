/** The Kubernetes events that the agent publishes, and their annotations. */

export { actionEvent, agentEvents, receivedEvents } from './agent-events.ts';
export { eventAnnotations } from './event-annotations.ts';

/**
 * The Kubernetes events that the agent publishes, and their annotations: names and texts, no API calls. Start
 * with `agent-events.ts`.
 */

export { actionEvent, agentEvents, receivedEvents } from './agent-events.ts';
export { eventAnnotations } from './event-annotations.ts';

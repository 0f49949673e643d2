/**
 * The agent itself: the loop (`agent.ts`), what it does for an event (`event-handler.ts`), and how it takes
 * that back (`node-restoration.ts`). It changes the Node through `../node` and pods through `../drain`,
 * publishes events and calls the webhook. Start with `agent.ts`.
 */

export { Agent } from './agent.ts';
export type { AgentParts, Notification } from './agent-parts.ts';

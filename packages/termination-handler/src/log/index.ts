/**
 * The log of the agent, in the two formats of aws-node-termination-handler. Writes lines to the output that
 * the caller passes. Start with `agent-log.ts`.
 */

export { AgentLog, errorField } from './agent-log.ts';

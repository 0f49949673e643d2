/**
 * The settings of the agent, as flags and environment variables with the defaults of
 * aws-node-termination-handler. Pure. Start with `agent-settings.ts`.
 */

export { type AgentSettings, agentSettings, readAgentSettings } from './agent-settings.ts';

/**
 * The settings of the agent, as flags and environment variables. Pure. Start with agent-settings.ts.
 */

export { type AgentSettings, agentSettings, readAgentSettings } from './agent-settings.ts';

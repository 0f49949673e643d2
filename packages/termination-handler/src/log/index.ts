/** The log of the agent, in the two formats of aws-node-termination-handler. */

export { AgentLog, errorField } from './agent-log.ts';

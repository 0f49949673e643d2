/** The HTTP endpoints of the agent: metrics for Prometheus and the liveness probe for the kubelet. */

export { type AgentEndpoints, startAgentEndpoints } from './agent-endpoints.ts';

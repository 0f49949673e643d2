/**
 * The HTTP endpoints of the agent: metrics for Prometheus and the liveness probe for the kubelet, each on a
 * port of its own. Reads the metrics registry only. Start with `agent-endpoints.ts`.
 */

export { type AgentEndpoints, startAgentEndpoints } from './agent-endpoints.ts';

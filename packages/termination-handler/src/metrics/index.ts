/**
 * The metrics of the agent, by the names of aws-node-termination-handler. It touches nothing but the metrics
 * registry. Start with `agent-metrics.ts`.
 */

export { agentMetrics, countAction, type NodeAction } from './agent-metrics.ts';

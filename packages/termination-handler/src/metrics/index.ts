/** The metrics of the agent. */

export { agentMetrics, countAction, type NodeAction } from './agent-metrics.ts';

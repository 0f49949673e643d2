/** The metrics of the agent. */

export { type ActionOutcome, agentMetrics, countAction, type NodeAction } from './agent-metrics.ts';

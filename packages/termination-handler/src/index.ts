/**
 * The DaemonSet agent that watches the instance metadata service of its node, and cordons and drains the node
 * before the instance goes away. It writes its own Node, evictions and events, and calls no AWS service.
 * Start with `main.ts`, then `agent/agent.ts`; ADR 0055 says how it works beside the controller.
 */

export { Agent, type AgentParts } from './agent/index.ts';
export type { TerminationEvent } from './events/index.ts';
export { MetadataClient, readInstanceIdentity } from './imds/index.ts';
export { agentMain } from './main.ts';
export {
  asgLifecycleMonitor,
  type Monitor,
  rebalanceMonitor,
  runMonitor,
  scheduledEventMonitor,
  spotInterruptionMonitor,
} from './monitors/index.ts';
export { agentSettings, readAgentSettings } from './settings/index.ts';
export { functionNames } from './webhook/index.ts';

/**
 * Draining the node: which pods are evicted (agent-pods.ts), and the evictions with their retries (node-drain.ts).
 */

export { type AgentPod, podsToEvict, podText } from './agent-pods.ts';
export { NodeDrain } from './node-drain.ts';

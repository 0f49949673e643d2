/**
 * Draining the node: which pods are evicted (`agent-pods.ts`), and the evictions with their retries
 * (`node-drain.ts`). Lists and evicts pods of the node, nothing else. Start with `node-drain.ts`.
 */

export { type AgentPod, podsToEvict, podText } from './agent-pods.ts';
export { NodeDrain } from './node-drain.ts';

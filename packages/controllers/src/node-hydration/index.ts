/**
 * The controller `node.hydration`: adds labels to Nodes that older releases created without them. It writes
 * labels of Nodes and nothing else. Start with `node-hydration.ts`.
 */
export { nodeHydration } from './node-hydration.ts';

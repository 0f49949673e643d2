/**
 * The controller `node.hydration`: adds labels to Nodes that older releases created without them. It writes
 * labels of Nodes and nothing else.
 */
export { nodeHydration } from './node-hydration.ts';

/** The controller `node.hydration`: adds labels to Nodes that older releases created without them. */
export { type NodeHydrationContext, nodeHydration } from './node-hydration.ts';

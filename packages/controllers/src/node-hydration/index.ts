/**
 * The controller `node.hydration`: adds the label of the NodeClass to Nodes that older releases left without it.
 * It writes labels of Nodes and nothing else. Start with `node-hydration.ts`.
 */
export { nodeHydration } from './node-hydration.ts';

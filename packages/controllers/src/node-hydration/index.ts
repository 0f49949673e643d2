export { type NodeHydrationContext, nodeHydration } from './node-hydration.ts';

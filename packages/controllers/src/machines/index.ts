export { deleteIfUidMatches, disruptClaim } from './claim-deletion.ts';
export { endMachine } from './machine-end.ts';
export { type CachedNode, MachineIndex } from './machine-index.ts';
export { type CachedPod, PodsOnNodes } from './pods-on-nodes.ts';

/**
 * The controller `node.health` (feature gate NodeRepair): deletes the NodeClaims of nodes that match a repair
 * policy of the cloud provider. It writes the termination timestamp of NodeClaims and deletes them; drain and
 * instance termination belong to `../node-termination`. Start with `node-health.ts`.
 */
export { nodeHealth } from './node-health.ts';

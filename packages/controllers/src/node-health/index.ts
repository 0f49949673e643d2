/** The controller `node.health` (feature gate NodeRepair): force-deletes nodes that match a repair policy. */
export { type HealthContext, nodeHealth } from './node-health.ts';

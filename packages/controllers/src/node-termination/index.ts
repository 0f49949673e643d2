/**
 * The controller `node.termination`: taints and drains a deleted Node, waits for its volumes, terminates the
 * instance through the cloud provider and removes the finalizer. It writes Nodes, conditions of NodeClaims
 * and events.
 *
 * Start with `termination-controller.ts`, then the steps in order: `draining.ts`, `volume-detachment.ts`,
 * `instance-termination.ts`. Pods are evicted by `../eviction-queue`.
 */
export { nodeTermination } from './node-termination.ts';

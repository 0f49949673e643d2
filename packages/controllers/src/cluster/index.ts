/**
 * The cluster state of the process and how objects are written back.
 *
 * Start with `cluster.ts`: it feeds `@karpenter/core/state` from informers and from facts that only this
 * process knows. `status-write.ts` has the guarded writes that all controllers use, a patch each;
 * `kinds.ts` the watched kinds.
 */
export { Cluster } from './cluster.ts';
export { capacityBuffers, nodeClaims, nodeOverlays, nodePools, shapedAs, stateSources } from './kinds.ts';
export { writeObject, writeStatus } from './status-write.ts';

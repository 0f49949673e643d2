export { Cluster, type ClusterListener, type ClusterOptions } from './cluster.ts';
export { capacityBuffers, nodeClaims, nodeOverlays, nodePools, shapedAs, stateSources } from './kinds.ts';
export { writeObject, writeStatus } from './status-write.ts';

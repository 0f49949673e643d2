export { Cluster, type ClusterListener, type ClusterOptions } from './cluster.ts';
export { capacityBuffers, nodeClaims, nodeOverlays, nodePools, stateSources } from './kinds.ts';
export { writeObject, writeStatus } from './status-write.ts';

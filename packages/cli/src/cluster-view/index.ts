// Reads a cluster for the viewers: connects as kubectl does, feeds a ClusterView from lists or watches, and prices
// nodes without AWS. Works on any cluster and writes nothing. Start reading at `listed-cluster.ts` (once) and
// `live-cluster.ts` (until stopped); `node-prices.ts` says where prices come from.

export { type ClusterChoice, type ConnectedCluster, connectTo } from './connection.ts';
export type { KarpenterEvent } from './karpenter-event.ts';
export { listKind } from './kind-list.ts';
export { listedCluster } from './listed-cluster.ts';
export { type LiveCluster, liveCluster } from './live-cluster.ts';
export { noPrice, priceWithoutAws } from './node-prices.ts';
export { unreachable } from './read-error.ts';
export { emptyViewedCluster, type ViewedCluster } from './viewed-cluster.ts';

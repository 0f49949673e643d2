export {
  type ClusterParts,
  clusterTime,
  type DisruptedPoolParts,
  disruptableCluster,
  disruptedPool,
  type Machine,
  type MachineParts,
  machine,
  residents,
} from './disruptable-cluster.ts';

/**
 * Clusters whose nodes may be disrupted, and the inputs of a consolidation search over them. Pure builders.
 * Start with `disruptable-cluster.ts`, then `consolidation-search.ts`.
 */
export {
  type ConsolidationOptions,
  consolidationSituation,
  searchedConsolidations,
  situationOf,
} from './consolidation-search.ts';
export {
  type ClusterParts,
  clusterTime,
  disruptableCluster,
  disruptedPool,
  drained,
  type ManagedNode,
  type ManagedNodeParts,
  managedNode,
  runningPods,
} from './disruptable-cluster.ts';

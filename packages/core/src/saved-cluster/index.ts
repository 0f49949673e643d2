/**
 * The file format of a saved cluster: the API objects of every kind that plans read, listed per kind, the
 * instance types of each NodePool, the settings and the facts of the process, at one instant. Whoever loads
 * it applies the lists as `listed` events to a `ClusterState` and plans the same again.
 *
 * Types, writer and reader of the envelope are here, so that controllers and commands share them. The lists
 * come from and go to caches in `@karpenter/kube/cache` (`savedLists`, `cachesOfLists`); `ClusterPlanning` of
 * the controllers captures a cluster; `karpenter simulate` writes and loads files. Start with
 * `saved-cluster.ts`. Pure; `saved-object.ts` decides which fields never reach a file.
 */

export { savedInstanceTypes, typesOfPools } from './instance-type-lists.ts';
export { isSavedCluster, readSavedCluster } from './read-saved-cluster.ts';
export type {
  CapturedCluster,
  PlanningSettings,
  SavedCluster,
  SavedInstanceTypes,
  SavedList,
} from './saved-cluster.ts';
export { savedClusterPieces, savedClusterText } from './saved-cluster-text.ts';
export { restoredFact, savedFact } from './saved-fact.ts';

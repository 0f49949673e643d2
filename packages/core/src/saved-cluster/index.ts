/**
 * The file format of a saved cluster: the API objects of every kind that plans read, the instance types of
 * each NodePool, the settings and the facts of the process, at one instant. Pure: types, writer and reader of
 * the envelope; `saved-object.ts` decides which fields never reach a file. Lists come from and go to caches
 * in `@karpenter/kube/cache` (`savedLists`, `cachesOfLists`), `ClusterPlanning` captures a cluster,
 * `karpenter simulate` writes and loads files. Start with `saved-cluster.ts`.
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

/**
 * Random clusters from a seed, as planner snapshots or as objects to store in an API server. Pure: the same
 * seed gives the same cluster. Start with `random-cluster.ts`; `stored-cluster.ts` has the objects.
 */
export { withBuffers, withUpcomingPods } from './buffers.ts';
export { SeededRandom } from './chance.ts';
export { type RandomCluster, randomCluster } from './random-cluster.ts';
export { type StoredObject, storedCluster } from './stored-cluster.ts';

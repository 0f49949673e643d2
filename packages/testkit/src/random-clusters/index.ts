/** Random clusters from a seed, as planner snapshots or as objects to store in an API server. */
export { withBuffers, withUpcomingPods } from './buffers.ts';
export { SeededRandom } from './chance.ts';
export { type RandomCluster, randomCluster } from './random-cluster.ts';
export { type StoredObject, storedCluster } from './stored-cluster.ts';

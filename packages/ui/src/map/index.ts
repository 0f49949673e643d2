/** The cluster map on a canvas: layout, scene in time, painting, keys. Start with `map-loop.ts`. */

export { ClusterMap } from './cluster-map.tsx';
export { scarcerShare } from './layout/index.ts';
export { mapGroupings } from './scene/index.ts';

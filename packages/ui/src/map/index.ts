/**
 * The cluster map on a canvas: layout, scene in time, painting, keys. Reads changes of the store and draws
 * outside React. Start with `map-loop.ts`; `cluster-map.tsx` is its React component.
 */

export { ClusterMap } from './cluster-map.tsx';
export { scarcerShare } from './layout/index.ts';
export { mapGroupings } from './scene/index.ts';

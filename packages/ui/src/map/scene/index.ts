/**
 * The state of the map in time: boxes, tiles and pods on their way. Reads the store, draws nothing. Start
 * with `map-scene.ts`.
 */

export { mapGroupings } from './group-names.ts';
export { type Flight, grownShare, MapScene, type MapTarget } from './map-scene.ts';
export { eased } from './motion.ts';
export { hasHeader, headerHeight, insideOf, type NodeBox } from './node-box.ts';
export { pendingTitleHeight } from './pending-area.ts';

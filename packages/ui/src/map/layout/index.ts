/**
 * Where everything on the map is: pure functions from rows to rectangles, without a canvas. Start with
 * `map-layout.ts`; `pod-tiles.ts` divides a node.
 */

export { type ArrowKey, arrowStep } from './arrow-steps.ts';
export { BoxIndex } from './box-index.ts';
export { groupTitleHeight } from './group-block.ts';
export { layoutMap, type MapLayout } from './map-layout.ts';
export { pendingCells } from './pending-cells.ts';
export { podTiles, scarcerShare } from './pod-tiles.ts';
export { between, isInside, type Rectangle, within } from './rectangle.ts';

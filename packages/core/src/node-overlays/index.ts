/**
 * Applies NodeOverlays to instance types: which offerings an overlay selects, price and capacity changes,
 * conflicts by weight, and the conditions to store on the overlays. Pure functions; start with
 * `node-overlays.ts`.
 */

export { applyOverlays, type OverlayOutcome } from './node-overlays.ts';
export { overlayAnnotations } from './overlay-annotations.ts';
export { type OverlayVerdict, overlayConditions, overlayRefusal } from './overlay-verdict.ts';

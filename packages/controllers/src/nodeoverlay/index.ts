/**
 * The controller `nodeoverlay.controller` (feature gate NodeOverlay): writes the conditions of NodeOverlays.
 * The overlays themselves are applied by `../planning` whenever instance types are refreshed.
 */
export { nodeOverlay } from './node-overlay.ts';

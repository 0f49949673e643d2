/**
 * The controller `nodeoverlay.controller` (feature gate NodeOverlay): writes the conditions of NodeOverlays.
 */
export { nodeOverlay } from './node-overlay.ts';

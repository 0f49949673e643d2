/**
 * The controller `nodeoverlay.controller` (feature gate NodeOverlay): writes the conditions of NodeOverlays
 * and nothing else. The overlays themselves are applied by `../planning` whenever instance types are
 * refreshed. Start with `node-overlay.ts`.
 */
export { nodeOverlay } from './node-overlay.ts';

export { applyOverlays, type OverlayInputs, type OverlayOutcome } from './node-overlays.ts';
export { overlayAnnotations } from './overlay-annotations.ts';
export { type OverlayVerdict, overlayConditions, overlayRefusal } from './overlay-verdict.ts';

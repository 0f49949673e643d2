export { nodeOverlay } from './node-overlay.ts';

/**
 * Draws the scene of the map on canvases, with colours from the style sheet. Uses canvases only. Start
 * with `map-painter.ts`.
 */

export { readColours } from './map-colours.ts';
export { type MapMarks, MapPainter, type MapTexts } from './map-painter.ts';

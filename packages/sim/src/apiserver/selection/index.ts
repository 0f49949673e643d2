export { parseLabelSelector } from './label-selector.ts';
export { labelsOf, type Selection, selectionOf } from './selection.ts';

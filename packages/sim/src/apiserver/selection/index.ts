/**
 * Label and field selectors of requests, compiled to predicates over stored entries. Pure functions that
 * throw a StatusError for invalid text. Start with selection.ts.
 */

export { labelsOf, type Selection, selectionOf } from './selection.ts';

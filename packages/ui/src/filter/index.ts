/**
 * The filter that people type: which nodes and pods it keeps, on the map and in the lists. Pure. Start with
 * `row-filter.ts`.
 */

export { parseFilter, type RowFilter } from './row-filter.ts';

/** The filter that people type: which nodes and pods it keeps. */

export { parseFilter, type RowFilter } from './row-filter.ts';

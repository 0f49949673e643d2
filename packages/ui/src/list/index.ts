/**
 * Nodes and pods as tables, with the same filter as the map. React components that read the store. Start with
 * `row-lists.tsx`.
 */

export { RowLists } from './row-lists.tsx';

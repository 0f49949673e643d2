/** Nodes and pods as tables, with the same filter as the map. */

export { RowLists } from './row-lists.tsx';

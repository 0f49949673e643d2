/**
 * What the page says where there is nothing to show: one React component without state. Start with
 * `empty-state.tsx`.
 */

export { EmptyState } from './empty-state.tsx';

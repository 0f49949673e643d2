/** What the page says where there is nothing to show. */

export { EmptyState } from './empty-state.tsx';

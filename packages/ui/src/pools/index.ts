/**
 * NodePools: limits, usage, disruption budgets now and next. A React component that reads the store. Start
 * with `pools-tab.tsx`.
 */

export { PoolsTab } from './pools-tab.tsx';

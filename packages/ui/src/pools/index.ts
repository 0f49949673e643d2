/** NodePools: limits, usage, disruption budgets now and next. */

export { PoolsTab } from './pools-tab.tsx';

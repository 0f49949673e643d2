/** Money now and over time. Start with `cost-tab.tsx`. */

export { CostTab } from './cost-tab.tsx';
